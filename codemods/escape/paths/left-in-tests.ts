/**
 * What stays of v1 in a test of what is moved: versions among settings that it puts in the place of the program's and as a segment of a path that it takes apart,
 * and the header's name within a text.
 */
import { v1Auth } from '../../../src/contract/auth.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { variablesSetIn } from '../../clients/settings/deployed-variables.ts';
import { asksOwnServer } from '../../clients/testing/libraries.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { Edit, Finding } from '../../model.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { Node, ObjectNode, StringNode } from '../../syntax/tree.ts';
import { type Bases, matchUrl } from '../../verdict/bases/routes.ts';
import { besideIn } from '../ledger/help-texts.ts';
import { segmentsIn } from '../servers/path-segments.ts';
import { expectedOf } from '../servers/stand-in-expectations.ts';
import { toldAddresses } from '../servers/told-addresses.ts';

/**
 * What stays so in tests of what is edited: they may fail.
 * @param isAsked whether a server of a test is asked by what moves
 */
export function leftInTests(ev: Evaluation, edits: readonly Edit[], bases: Bases, isAsked: (module: SourceModule) => boolean): Finding[] {
  const { world } = ev;
  const edited = Map.groupBy(edits, ({ file }) => file);
  const isBeside = besideIn(world, new Set(edited.keys()));
  const programs = [...edited.keys()].flatMap((file) => world.modules.get(file) ?? []).filter((module) => !isTest(module));
  const isKeyMoved = edits.some(({ what }) => what === 'header name');
  return [...world.modules.values()].filter(isTest).flatMap((module): Finding[] => {
    const own = edited.get(module.file);
    const isEdited = ({ start, end }: Place): boolean => own?.some((edit) => start <= edit.start && edit.end <= end) === true;
    const keys = isKeyMoved
      ? [...keysBesideAddresses(module, own ?? []), ...keysAtOtherHosts(module, programs, bases).filter((place) => !isEdited(place))]
      : [];
    const versions = [
      ...(own === undefined ? [] : [...settingsIn(module, bases), ...toldAddresses(module).map(({ node }) => node)]),
      ...(isBeside(module) && (own !== undefined || !asksOwnServer(module.text) || isAsked(module)) ? segmentsLeftIn(ev, module) : []),
    ];
    return [
      ...versions.filter((node) => !isEdited(node)).map((node) => told(node, module, { code: 'repeats-path', detail: { how: 'test' } })),
      ...keys.map((node) => told(node, module, { code: 'reads-header', detail: {} })),
    ];
  });
}

const told = ({ start, end }: Place, module: SourceModule, what: Pick<Finding, 'code' | 'detail'>): Finding => ({
  ...what,
  file: module.file,
  start,
  end,
  ...module.position(start),
});

/** `expect(sent).toBe('https://api.example.com/v1/contacts x-api-key')`: a text whose address moves, and in which the header's name is one of several things. */
function keysBesideAddresses({ texts, text }: SourceModule, edits: readonly Edit[]): Node[] {
  return texts.filter((node) => {
    const { start, end } = node;
    const at = start + text.slice(start, end).search(isAmong);
    const within = edits.filter((edit) => start <= edit.start && edit.end <= end);
    return at >= start && within.length > 0 && !within.some((edit) => edit.start <= at && at <= edit.end);
  });
}

/** Where a test sets a variable of what moves to a host of its own, and expects the header there: `process.env.API_URL = 'https://eu.example.com/v1'`. */
function keysAtOtherHosts({ tree, text }: SourceModule, programs: readonly SourceModule[], bases: Bases): Place[] {
  const ours = new Set(bases.v1.map((base) => new URL(base).host));
  const isSet = (): boolean =>
    variablesSetIn(text).some(({ name, value }) => {
      const host = URL.parse(value)?.host ?? '';
      return host !== '' && !ours.has(host) && text.split(host).length > 2 && programs.some((program) => program.text.includes(name));
    });
  const keys = nodesOfKind(tree.program, 'property').filter(({ name }) => name?.toLowerCase() === v1Auth.field);
  return keys.length > 0 && isSet() ? keys.map(({ keyStart: start, keyEnd: end }) => ({ start, end })) : [];
}

type Place = Pick<Node, 'start' | 'end'>;

const isAmong = new RegExp(`(?<![\\w-])${v1Auth.field}(?![\\w-])`, 'i');

/** Of `{ url: 'https://api.example.com', version: 'v1' }` the version. */
const settingsIn = ({ tree }: SourceModule, bases: Bases): Node[] =>
  nodesOfKind(tree.program, 'object')
    .filter((object) => textsOf(object).some(({ value }) => matchUrl(value, bases).kind === 'ours'))
    .flatMap(textsOf)
    .filter(({ value }) => /^\/?v1\/?$/.test(value));

/** `expect(pathname.split('/')).toEqual(['', 'v1', 'contacts'])`, `expect(pathname.split('/')[1]).toBe('v1')` */
const segmentsLeftIn = (ev: Evaluation, module: SourceModule): Node[] => segmentsIn(ev, module, expectedOf).map(({ node }) => node);

const textsOf = ({ properties }: ObjectNode): StringNode[] =>
  properties.flatMap((each) => (each.kind === 'property' && each.value.kind === 'string' ? [each.value] : []));
