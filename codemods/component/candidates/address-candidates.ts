/** What code says of bases where none is configured and nobody is seen who asks: addresses beside v1's header, given to clients that are not known. */
import { v1Auth } from '../../../src/contract/auth.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { flat, unknownPart } from '../../evaluate/values/text.ts';
import { optionsOf, partsOf } from '../../evaluate/values/values.ts';
import type { LedgerEntry } from '../../model.ts';
import type { Node } from '../../syntax/tree.ts';
import { baseOf, type CandidateCall } from '../../verdict/bases/candidates.ts';
import { isLocal } from '../../verdict/bases/hosts.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import { matchRoute } from '../../verdict/bases/routes.ts';

interface Written {
  readonly node: Node;
  readonly module: SourceModule;
  readonly text: string;
}

/**
 * @param sites requests whose base is known as far as it is
 * @param ledger what became of the header's name: what an own server reads is nobody's key
 */
export function addressCandidates(ev: Evaluation, sites: readonly RequestSite[], ledger: readonly LedgerEntry[]): CandidateCall[] {
  const modules = [...ev.world.modules.values()].filter((module) => isScript(module) && !isTest(module));
  const textOf = ({ file, start, end }: LedgerEntry): string => ev.world.modules.get(file)?.text.slice(start, end).toLowerCase() ?? '';
  const isGiven = ledger.some((entry) => entry.reason !== 'own-server' && !isTest(entry) && textOf(entry).includes(v1Auth.field));
  if (!isGiven) return [];
  const isAsked = askedBy(sites);
  const written = modules.flatMap((module) =>
    module.texts.flatMap((node): Written[] => {
      if (!module.text.slice(node.start, node.end).includes('/') || isAsked(node, module)) return [];
      const whole = wholeOf(node);
      const { value } = ev.budget.question({ node: whole, module }, () => ev.evaluate(whole, { module, frame: undefined }));
      return optionsOf(value)
        .map((value) => ({ node: whole, module, text: flat(partsOf(value)) }))
        .filter(({ text }) => !/\s/.test(text));
    }),
  );
  const held = new Set(written.flatMap(({ text }) => addressIn(text)));
  const found = written.flatMap((each) => {
    const own = baseOf(each.text);
    if (own !== undefined) return candidateOf(each, own.base, own.path);
    if (!each.text.startsWith('/') || isAskedAbout(each.node) || !isPathOfRoute(each.text)) return [];
    // Behind a base that the client is given: `new Client({ baseUrl: 'https://…/v1' }).get('/contacts')`.
    return [...held].flatMap((address) => {
      const behind = baseOf(address + each.text);
      return behind === undefined ? [] : candidateOf(each, behind.base, behind.path);
    });
  });
  return [...new Map(found.map((each) => [`${each.base} ${each.file} ${each.start} ${each.route}`, each])).values()];
}

/** `path === '/v1/messages'`, `new Set(['/v1/messages']).has(path)`: what is looked for among paths is asked by nobody. */
function isAskedAbout({ parent }: Node): boolean {
  if (parent?.kind === 'binary') return true;
  const made = parent?.kind === 'array' ? parent.parent : undefined;
  return made?.kind === 'call' && made.isNew && made.callee.kind === 'name' && made.callee.name === 'Set';
}

const options = { placeholder: new RegExp(unknownPart) };

/** Whether a path is one of v1's behind some base: most texts with a slash are none, and each would be put behind each address. */
const isPathOfRoute = (path: string): boolean => [path, `/v1${path}`].some((each) => matchRoute(each, undefined, options).length > 0);

function candidateOf({ node, module }: Written, base: string, path: string): CandidateCall[] {
  const [route] = matchRoute(path, undefined, options);
  if (route === undefined || base.includes(unknownPart) || isLocal(URL.parse(base)?.host ?? '')) return [];
  const { file } = module;
  const { start, end } = node;
  const { line } = module.position(start);
  return [{ base, file, start, end, line, method: undefined, route, variables: [], withKey: true, isMock: false, isOfTest: false }];
}

/** An address without a path of an endpoint, with or without the version at its end. */
const addressIn = (text: string): string[] => /^(https?:\/\/[^\s/?#]+(?:\/[^\s?#]*?)??)\/?$/i.exec(text)?.slice(1) ?? [];

/** Tells texts that requests are made of. */
function askedBy(sites: readonly RequestSite[]): (node: Node, module: SourceModule) => boolean {
  const sources = sites.flatMap(({ request: { url = [] } }) => url.flatMap((part) => ('text' in part ? (part.source ?? []) : [])));
  const byModule = Map.groupBy(sources, ({ module }) => module);
  return ({ start, end }, module) => byModule.get(module)?.some((source) => start <= source.start && source.start < end) === true;
}

/** The text that a part of one belongs to: `BASE + '/v1/contacts/' + id`. */
function wholeOf(node: Node): Node {
  const { parent } = node;
  return parent?.kind === 'concat' ? wholeOf(parent) : node;
}
