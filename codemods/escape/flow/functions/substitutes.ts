/** What is put in the place of `fetch` or of a client's method: whether it may ask another host, or only answers, as in tests. */
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { type FunctionValue, type HttpValue, optionsOf, type Value } from '../../../evaluate/values/values.ts';
import { walk } from '../../../syntax/link.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import type { CallNode, FunctionNode, Node } from '../../../syntax/tree.ts';

/** Whether a substitute may ask another host: a mock sends no request, and a package that brings the same client sends it where its caller says. */
export function mayAskElsewhere(ev: Evaluation, value: Value): boolean {
  switch (value.type) {
    case 'literal':
      return false;
    case 'http':
      return value.mock === undefined;
    case 'external':
      return !ev.rules.some(({ modules, globals }) =>
        value.source === '' ? globals?.includes(value.path.join('.')) : modules?.includes(value.source),
      );
    case 'function':
      return asksIn(ev, value);
    default:
      return true;
  }
}

/** Whether a function makes a request, or hands on what it is given; one of a test hands it to the answers that the test wrote. */
function asksIn(ev: Evaluation, { node: fn, module, frame }: FunctionValue): boolean {
  let asks = false;
  const isGiven = givenTo(fn, module);
  walk(fn, (node) => {
    if (node.kind === 'call') asks ||= (!isTest(module) && handsOn(node, isGiven)) || isRequest(ev.evaluate(node, { module, frame }));
    return !asks;
  });
  return asks;
}

/** Tells the parameters of a function. */
const givenTo =
  (fn: FunctionNode, module: SourceModule) =>
  (name: Node): boolean => {
    const owner = name.kind === 'name' ? module.scopes.bindingOf(name)?.owner : undefined;
    return owner?.kind === 'param' && owner.parent === fn;
  };

/** Whether a function asks by the client whose method it stands for alone, and hands what it is given to nobody else than functions of the project. */
export function asksByClient(ev: Evaluation, fn: FunctionNode, module: SourceModule, client: HttpValue['origins'][number]): boolean {
  const isGiven = givenTo(fn, module);
  let isOfClient = true;
  walk(fn, (node) => {
    if (node.kind !== 'call') return isOfClient;
    const asked = optionsOf(ev.evaluate(node, { module, frame: undefined })).filter(isRequest);
    const isSeen = asked.length > 0 || !handsOn(node, isGiven) || isOwnFunction(ev, node, module);
    isOfClient &&= isSeen && asked.every((each) => each.type === 'http' && each.origins.includes(client));
    return isOfClient;
  });
  return isOfClient;
}

const isOwnFunction = (ev: Evaluation, { callee }: CallNode, module: SourceModule): boolean =>
  optionsOf(ev.evaluate(callee, { module, frame: undefined })).every(({ type }) => type === 'function');

const isRequest = (value: Value): boolean =>
  optionsOf(value).some((option) => option.type === 'http' && option.stage === 'request' && option.mock === undefined);

/** Methods that only read a text, or make another of it. */
const looking = /^(?:String|URL|Request|Headers|Response|Error|parse|stringify|has|get|log|debug|info|warn|push|add|test)$/;

function handsOn({ callee, args }: CallNode, isGiven: (name: Node) => boolean): boolean {
  const name = callee.kind === 'name' ? callee.name : callee.kind === 'member' ? callee.property : undefined;
  return !looking.test(name ?? '') && args.some((arg) => isGiven(arg.kind === 'spread' ? arg.argument : arg));
}
