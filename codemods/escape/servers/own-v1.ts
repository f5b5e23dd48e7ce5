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
  /** Whether any path, or what paths begin with, has v1 in it. */
  readonly hasVersion: boolean;
  readonly hasHeader: boolean;
}

export function ownV1Of(ev: Evaluation): OwnV1 {
  const modules = [...ev.world.modules.values()].filter((module) => !isTest(module));
  const paths = modules.flatMap((module) => pathsOf(ev, module));
  return {
    hasVersion: paths.some((path) => ofV1.test(path)) || modules.some(({ text }) => versioning.test(text)),
    hasHeader: paths.some(isKeyHeader) || modules.some((module) => headerReads(ev, module).some(({ isServer }) => isServer)),
  };
}

/**
 * @param route without what goes before its version: `/v1/contacts`
 * @returns whether a file has such a route below what another puts in front, as `router.get('/contacts', …)` is, or by where it stands, as `functions/v1/contacts.ts`: one that
 *   listens itself has its paths whole
 */
export function answersBelow(ev: Evaluation, module: SourceModule, route: string): boolean {
  const [, resource = ''] = /^\/v1\/(\w+)/.exec(route) ?? [];
  const isOfIt = (path: string): boolean => {
    const segments = path.split('/').filter((segment) => segment !== '' && !/^[:*{(]/.test(segment));
    return segments.length === 0 || segments.includes(resource);
  };
  return !listening.test(module.text) && (/(?:^|\/)v1[/.]/.test(module.file) || pathsOf(ev, module).some(isOfIt));
}

const listening = /\.listen\(|\bserve\(/;

/** `app.enableVersioning()` of Nest, and what it gives a version: `@Controller({ path: 'contacts', version: '1' })`. */
const versioning = /\benableVersioning\(|@Controller\([^)]*\bversion\b/;

const ofV1 = /(?<![\w-])v1(?![\w-])/i;

/** What of a served place is known as a text: one that is not, may be anything, and what is said beside it is told. */
const pathsOf = (ev: Evaluation, module: SourceModule): string[] => [...servedIn(ev, module)].flatMap((node) => pathsAt(ev, node, module));

function pathsAt(ev: Evaluation, node: Node, module: SourceModule): readonly string[] {
  if (node.kind === 'property') return [module.text.slice(node.keyStart, node.keyEnd)];
  if (node.kind === 'array') return node.elements.flatMap((item) => (item === undefined ? [] : pathsAt(ev, item, module)));
  if (node.kind === 'string') return [node.value];
  if (node.kind !== 'name' && node.kind !== 'member' && node.kind !== 'template' && node.kind !== 'binary') return [];
  return optionsOf(ev.evaluate(node, { module, frame: undefined })).flatMap((value) => plainText(value) ?? []);
}
