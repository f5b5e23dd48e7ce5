/** What a program keeps on the global object by names of its own: clients that outlive a reload of their file, or that any file may take. */
import { globalObjects } from '../../evaluate/language/builtins.ts';
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { Ask, AskNode, Put, PutNode } from '../../evaluate/libraries/provided.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { Node } from '../../syntax/tree.ts';

const space = 'global object';

/** What platforms and libraries have there: what is put in the place of it is looked at by who knows what it does. */
const taken =
  /^(?:location|document|history|name|status|XMLHttpRequest|\$|jQuery|on[a-z]+|open|close|alert|confirm|prompt|print|scroll(?:To|By)?|matchMedia|getComputedStyle|getSelection|\w+Observer)$/;
const isFree = (name: string): boolean => !(name in globalThis) && !taken.test(name);

/** `globalThis`, and a constant that is it by another type: `const globalForApi = globalThis as unknown as { api?: Api }`. */
function isGlobalObject(node: Node | undefined, module: SourceModule): boolean {
  if (node?.kind !== 'name') return false;
  const owner = module.scopes.bindingOf(node)?.owner;
  if (owner === undefined) return globalObjects.has(node.name);
  return owner.kind === 'variable' && owner.target.kind === 'patternName' && owner.init !== node && isGlobalObject(owner.init, module);
}

function puts(node: PutNode, module: SourceModule): readonly Put[] {
  if (node.kind !== 'assign' || node.target.kind !== 'member' || isTest(module) || !isGlobalObject(node.target.object, module)) return [];
  const { property } = node.target;
  // Settings of a page are variables, and looked at as these.
  if (property === undefined || !isFree(property) || node.value.kind === 'object') return [];
  const isForAll = node.target.object.kind === 'name' && node.target.object.name === 'window';
  return [{ space, key: property, node: node.value, isForAll }];
}

function asks(node: AskNode, name: string | undefined, module: SourceModule): Ask | undefined {
  switch (node.kind) {
    case 'name':
      return module.scopes.bindingOf(node) === undefined && isFree(node.name) ? { space, key: node.name } : undefined;
    case 'member': {
      const isWritten = node.parent?.kind === 'assign' && node.parent.target === node;
      if (isWritten || !isGlobalObject(node.object, module)) return undefined;
      const key = node.property ?? node.computed;
      return key === undefined ? undefined : { space, key };
    }
    case 'patternName': {
      const around = node.parent?.parent?.parent;
      return name !== undefined && around?.kind === 'variable' && isGlobalObject(around.init, module) ? { space, key: name } : undefined;
    }
    default:
      return undefined;
  }
}

/** `window.api = api`, `window.api = axios.create(…)`: what is made there for the page alone is none of its clients. */
const written = /\bwindow\.(\w+)\s*=\s*(?=[a-z_$])(?!(?:async|class|false|function|null|true|undefined|window)\b)/i;

/** Who takes such a name of the page, and neither imports nor declares it. */
function usesOf(text: string): RegExp | undefined {
  const all = Array.from(text.matchAll(new RegExp(written, 'gi')), ([, name = '']) => name).filter(isFree);
  if (all.length === 0) return undefined;
  const names = `(?:${all.join('|')})`;
  const page = '(?:window|globalThis|self|parent|top)';
  // From the name to the brace before it: from each brace to the names behind it takes seconds, where code has many.
  const taken = String.raw`\b${page}\??(?:\.|\[['"])${names}(?![\w$])|(?<![\w$])${names}(?![\w$])(?<=\{[^{}]{0,300})[^{}]{0,300}\}\s*=\s*${page}\b`;
  const own = String.raw`\b(?:import|const|let|var|function)\b[^;()]{0,300}?(?<![\w$'"/])${names}(?![\w$'"/])`;
  return new RegExp(String.raw`${taken}|^(?![^]*${own})[^]*(?<![\w$.'"/-])${names}\s*[.(]`);
}

export const globalsLibrary: ClientRule = {
  name: 'globals',
  carries: [{ where: /\b(?:globalThis|global|window|self)\b/, puts, asks }],
  // What a page keeps there, its scripts take without an import.
  ambient: { mark: written, reached: usesOf, handsOn: true },
};
