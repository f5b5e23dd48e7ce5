/** Whether the servers of a program have a v1 of their own, or take the header: what comments say of these beside them may be of the program itself. */
import { isKeyHeader } from '../../../src/contract/auth.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { optionsOf, plainText } from '../../evaluate/values/values.ts';
import type { Node } from '../../syntax/tree.ts';
import { headerReads } from '../headers/reads/reads.ts';
import { servedIn } from './own-routes.ts';

export interface OwnV1 {
  /** Whether what a route is of, as `contacts`, has a path of the program behind a v1. */
  hasRoute(route: string): boolean;
  readonly hasHeader: boolean;
}

export function ownV1Of(ev: Evaluation): OwnV1 {
  const modules = [...ev.world.modules.values()].filter((module) => !isTest(module));
  const paths = modules.flatMap((module) => pathsOf(ev, module));
  const behind = paths.flatMap((path) => behindV1.exec(path)?.slice(1).map(segmentsOf) ?? []);
  // Where all of a server stands behind the version, any of its paths is one of v1.
  const isAll = behind.some(({ length }) => length === 0) || modules.some(({ text }) => versioning.test(text));
  const resources = new Set([...behind.flatMap(([first]) => first ?? []), ...(isAll ? paths.flatMap(segmentsOf) : [])]);
  return {
    hasRoute: (route) => resources.has(resourceOf(route)),
    hasHeader: paths.some(isKeyHeader) || modules.some((module) => headerReads(ev, module).some(({ isServer }) => isServer)),
  };
}

/**
 * @param route without what goes before its version: `/v1/contacts`
 * @returns whether a file has such a route below what another puts in front, as `router.get('/contacts', …)` is, or by where it stands, as `functions/v1/contacts.ts`: one that
 *   listens itself has its paths whole
 */
export function answersBelow(ev: Evaluation, module: SourceModule, route: string): boolean {
  const isOfIt = (path: string): boolean => {
    const segments = segmentsOf(path);
    return segments.length === 0 || segments.includes(resourceOf(route));
  };
  return !listening.test(module.text) && (/(?:^|\/)v1[/.]/.test(module.file) || pathsOf(ev, module).some(isOfIt));
}

/** `/v1/contacts/:id` is one of `contacts`. */
const resourceOf = (route: string): string => /^\/v1\/(\w+)/.exec(route)?.[1] ?? '';

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '' && !/^[:*{(]/.test(segment));

const listening = /\.listen\(|\bserve\(/;

/** `app.enableVersioning()` of Nest, and what it gives a version: `@Controller({ path: 'contacts', version: '1' })`. */
const versioning = /\benableVersioning\(|@Controller\([^)]*\bversion\b/;

const behindV1 = /(?<![\w-])v1(?![\w-])(.*)/is;

/** What of a served place is known as a text: one that is not, may be anything, and what is said beside it is told. */
const pathsOf = (ev: Evaluation, module: SourceModule): string[] => [...servedIn(ev, module)].flatMap((node) => pathsAt(ev, node, module));

function pathsAt(ev: Evaluation, node: Node, module: SourceModule): readonly string[] {
  if (node.kind === 'property') return [module.text.slice(node.keyStart, node.keyEnd)];
  if (node.kind === 'array') return node.elements.flatMap((item) => (item === undefined ? [] : pathsAt(ev, item, module)));
  if (node.kind === 'string') return [node.value];
  if (node.kind !== 'name' && node.kind !== 'member' && node.kind !== 'template' && node.kind !== 'binary') return [];
  return optionsOf(ev.evaluate(node, { module, frame: undefined })).flatMap((value) => plainText(value) ?? []);
}
