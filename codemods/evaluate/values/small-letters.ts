/** In which letters the names of headers are where they are made: `Headers`, servers and mocks of whole requests hand them out in small ones. */
import { v1Auth } from '../../../src/contract/auth.ts';
import { memoOf } from '../../once.ts';
import { walk } from '../../syntax/link.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';
import { mockIn } from '../language/comparisons.ts';
import type { Evaluation } from '../evaluation.ts';
import { leavesOf, namesTo, type Read } from './leaves.ts';
import type { SourceModule } from '../module.ts';
import { argumentIn } from '../libraries/spied.ts';
import type { World } from '../program.ts';
import { isTest } from '../libraries/test-files.ts';
import type { Value } from './values.ts';
import { ruleNamed } from '../libraries/rules.ts';

/** Whether names are in small letters where a value is made: `Object.fromEntries(new Headers(init.headers))`, `req.headers` of a server. */
export function isSmallIn({ node, module, path }: Read, ev: Evaluation): boolean {
  // nock's functions have the request as a server does.
  if (node.kind === 'this') return path.join('.') === 'req.headers';
  if (isGivenToHandler({ node, module, path })) return true;
  if (path.length > 1) {
    const value = ev.evaluate(node, { module, frame: undefined });
    const isSmall = isOfDefaults(path, value, ev) || (path.at(-1) === 'headers' && mockIn(value)?.notes?.['small'] !== undefined);
    return isSmall || (path.join('.') === 'request.headers' && isArrived({ node, module, path: path.slice(1) }, ev));
  }
  if (isArrived({ node, module, path }, ev)) return true;
  if (path.length > 0) return false;
  let isFound = false;
  walk(node, (each) => {
    isFound ||= each.kind === 'call' && makesSmall(each, module) && !isMadeOfPairs(each, module, ev);
    return !isFound && each.kind !== 'function';
  });
  return isFound;
}

/** `const handler = vi.fn((req, res) => …); createServer(handler); … handler.mock.calls[0][0].headers` */
function isGivenToHandler({ node, module, path }: Read): boolean {
  const [fn] = node.kind === 'call' ? node.args : [];
  const [param] = fn?.kind === 'function' ? fn.params : [];
  const argument = param && argumentIn(path);
  return param !== undefined && argument?.rest.join('.') === 'headers' && isOfServer(param, module);
}

/** `client.defaults.options.headers` */
function isOfDefaults(path: readonly string[], of: Value, { rules }: Evaluation): boolean {
  const rule = of.type === 'http' ? ruleNamed(rules, of.client) : undefined;
  return rule?.lowersHeaders === true && path.join('.') === [...(rule.defaults ?? []), 'headers'].join('.');
}

/** `req.headers`, `({ headers }, res) => …`, and what a proxy is to send on: `rewriteRequestHeaders: (request, headers) => …`. */
export function isArrived({ node, module, path }: Read, ev: Evaluation): boolean {
  const binding = node.kind === 'name' ? module.scopes.bindingOf(node) : undefined;
  if (binding?.owner.kind === 'param' && path.length === 0 && isSentOnBy(binding.owner)) return true;
  if (binding?.owner.kind !== 'param' || [...namesTo(binding.declaration, binding.owner.target), ...path][0] !== 'headers') return false;
  return isOfServer(binding.owner, module) || mockIn(ev.evaluate(node, { module, frame: undefined }))?.notes?.['small'] !== undefined;
}

/** `new Headers(…)`, `headers.entries()`, `Object.fromEntries(headers)`, `name.toLowerCase()`; `Object.entries(…)` of what is no `Headers` has names as they are written. */
function makesSmall({ callee, args, isNew, start, end }: CallNode, { text }: SourceModule): boolean {
  if (callee.kind === 'name') return isNew && /^(?:Headers|Request)$/.test(callee.name);
  if (callee.kind !== 'member') return false;
  const whole = text.slice(start, end);
  const isOfEntries = callee.property === 'fromEntries' && (!/\bObject\.entries\(/.test(whole) || lowersNames.test(whole));
  // msw's `request.headers.all()` is a copy of `Headers`.
  const isCopy = /\bheaders\.all$/.test(text.slice(callee.start, callee.end));
  return isOfEntries || isCopy || callee.property === 'toLowerCase' || (callee.property === 'entries' && args.length === 0);
}

/**
 * `Object.fromEntries(init.headers)` has names as they are written where the program gives headers in pairs, and nowhere a `Headers`, which a request has by itself:
 * `Object.fromEntries(request.headers)`.
 */
function isMadeOfPairs({ callee, args: [of] }: CallNode, module: SourceModule, ev: Evaluation): boolean {
  if (callee.kind !== 'member' || callee.property !== 'fromEntries' || of === undefined) return false;
  const text = module.text.slice(of.start, of.end);
  if (!/(?:^|\.)headers$/.test(text) || !givesPairs(ev.world)) return false;
  if (isOption.test(text)) return true;
  const leaves = leavesOf({ node: of, module, path: [] }, ev);
  return leaves.length > 0 && leaves.every(isOfOptions);
}

/** Whether headers are those of what `fetch` is given beside an address: `(url, { headers }) => …`. */
function isOfOptions({ node, module, path }: Read): boolean {
  const binding = node.kind === 'name' ? module.scopes.bindingOf(node) : undefined;
  if (binding?.owner.kind !== 'param') return false;
  const fn = binding.owner.parent;
  const names = [...namesTo(binding.declaration, binding.owner.target), ...path];
  return fn?.kind === 'function' && fn.params[1] === binding.owner && names.join('.') === 'headers';
}

/** `calls[0][1].headers` */
const isOption = /(?:(?<![\w$.])_?(?:init|opts|options|requestInit)|\[1\])[?!]?\.headers$/;

const givesPairs = memoOf(({ modules }: World): boolean => {
  const texts = [...modules.values()].filter((module) => !isTest(module)).map(({ text }) => text);
  return texts.some((text) => pairs.test(text)) && !texts.some((text) => /\bnew Headers\b/.test(text));
});
const pairs = new RegExp(`\\[\\s*['"\`]${v1Auth.field}['"\`]\\s*,`, 'i');

/** `.map(([name, value]) => [name.toLowerCase(), value])` */
const lowersNames = /\.map\(\s*\(\s*\[\s*(\w+)\s*,\s*\w+\s*\]\s*\)\s*=>\s*\[\s*\1\.toLowerCase\(\)/;

/** The second parameter of what a proxy of Fastify calls with the headers of a request. */
function isSentOnBy(param: Node): boolean {
  const fn = param.parent;
  return fn?.kind === 'function' && fn.params[1] === param && fn.parent?.kind === 'property' && fn.parent.name === 'rewriteRequestHeaders';
}

/** The first parameter of what a server calls: beside what it answers with, given to `createServer` or as a route or a hook of an application. */
export function isOfServer(param: Node, module: SourceModule): boolean {
  const fn = param.parent;
  if (fn?.kind !== 'function' || fn.params[0] !== param) return false;
  const [{ target }, answer] = fn.params;
  // Beside an answer by its name it is one wherever it is given; of others, who is given the function says so.
  if (answer?.target.kind === 'patternName' && /^_?(?:res|response|reply)$/.test(answer.target.name)) return true;
  const call = fn.parent;
  const callee = call?.kind === 'call' && call.callee !== fn ? call.callee : undefined;
  const called = callee?.kind === 'member' ? callee.property : callee?.kind === 'name' ? callee.name : undefined;
  if (called === 'createServer' || (answer === undefined && target.kind === 'patternName' && target.name === 'ctx')) return true;
  return callee?.kind === 'member' && isApplication(callee.object, module);
}

/** `const app = Fastify()`, `createServer(…).on('request', …)`, by its name or where it is made. */
function isApplication(of: Node, { scopes, text }: SourceModule): boolean {
  let root = of;
  while (root.kind === 'member' || root.kind === 'call') root = root.kind === 'member' ? root.object : root.callee;
  const owner = root.kind === 'name' ? scopes.bindingOf(root)?.owner : undefined;
  const made = owner?.kind === 'variable' ? owner.init : root;
  return made !== undefined && serving.test(text.slice(made.start, made.end));
}

const serving = /\b(?:app|server|fastify|express|koa|hono|restify|polka|router|createServer)\b/i;
