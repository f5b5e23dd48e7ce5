/** Where v1 or v2 is asked, by all ways that lead there: what starts a program from outside of it is held against these. */
import { isScript } from '../evaluate/module.ts';
import { isTest } from '../evaluate/test-files.ts';
import type { Span } from '../model.ts';
import type { Node } from '../syntax/tree.ts';
import type { RequestSite } from '../verdict/request-sites.ts';

export interface Ask extends Span {
  /** What the functions, methods and variables around it are called. */
  readonly within: readonly string[];
}

export function asksOf(sites: readonly RequestSite[]): Ask[] {
  const found = new Map<string, Ask>();
  for (const { request, verdict } of sites) {
    if (request.isMock || (verdict.kind !== 'ours' && verdict.kind !== 'v2')) continue;
    for (const { node, module } of [{ node: request.call, module: request.module }, ...request.callers]) {
      const { file } = module;
      const { start, end } = node;
      if (!isTest(module)) found.set(`${file}\0${start}`, { file, start, end, within: isScript(module) ? namesAround(node) : [] });
    }
  }
  return [...found.values()];
}

function namesAround(node: Node): string[] {
  const names: string[] = [];
  for (let at = node.parent; at !== undefined; at = at.parent) {
    const name = nameOf(at);
    if (name !== undefined) names.push(name);
  }
  return names;
}

/** `exports.handler = …`, too. */
function nameOf(node: Node): string | undefined {
  switch (node.kind) {
    case 'function':
      return node.name?.name;
    case 'property':
    case 'classMember':
      return node.name;
    case 'variable':
      return node.target.kind === 'patternName' ? node.target.name : undefined;
    case 'assign':
      return node.target.kind === 'member' ? node.target.property : undefined;
    default:
      return undefined;
  }
}
