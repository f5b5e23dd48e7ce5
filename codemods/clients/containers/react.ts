/** React's hooks: https://react.dev/reference/react/hooks. A client that is made in one, or goes through one, is the same client. */
import { callsOf, forAllCallers, passedOn } from '../../evaluate/calls/all-callers.ts';
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import { declaredAs } from '../../evaluate/names/declared.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { Put, PutNode } from '../../evaluate/libraries/provided.ts';
import { Shape } from '../../evaluate/values/shape.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { choiceOf, lazily, type ObjectValue, unknown } from '../../evaluate/values/values.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { CallNode, Expression, MemberNode, NameNode, Node, OtherNode } from '../../syntax/tree.ts';
import { askedBy, isCallOf } from '../names.ts';
import { givenAt, type Giving } from '../plugins.ts';
import { isAnywhere } from '../whole-program.ts';
import { first, keptAs, returned } from '../pass-through.ts';
import { drawnAt, isComponent, itemsGivenTo } from './drawn.ts';
import { dependent, readsState, setsState, state } from './react-state.ts';

const space = 'react';

/** `createContext(client)`, `<Context.Provider value={client}>`, `createElement(Context.Provider, { value: client })` */
function puts(node: PutNode, module: SourceModule): readonly Put[] {
  if (node.kind === 'call' && isCallOf(node, { method: /^createContext$/ })) {
    const [start] = node.args;
    return start === undefined || start.kind === 'spread' ? [] : [{ space, key: node, node: start }];
  }
  if (node.kind === 'call' && isCallOf(node, creates)) return providedBy(node);
  if (node.kind !== 'other' || node.what !== 'JsxElement') return [];
  const [tag] = node.children;
  const key = tag?.kind === 'member' && tag.property === 'Provider' ? tag.object : tag;
  if (key?.kind !== 'name' && key?.kind !== 'member') return [];
  return attributesOf(node, module).flatMap(({ name, value }) => (name === 'value' ? [{ space, key, node: value }] : []));
}

/** https://react.dev/reference/react/createElement; `jsx` and its like are what compilers write: https://legacy.reactjs.org/blog/2020/09/22/introducing-the-new-jsx-transform.html */
const creates = { method: /^_?(?:createElement|jsxs?|jsxDEV)$/ };

function providedBy({ args: [tag, given] }: CallNode): readonly Put[] {
  if (tag?.kind !== 'member' || tag.property !== 'Provider' || given?.kind !== 'object') return [];
  return given.properties.flatMap((each) =>
    each.kind === 'property' && each.name === 'value' ? [{ space, key: tag.object, node: each.value }] : [],
  );
}

interface Attribute {
  readonly name: string;
  readonly node: Node;
  readonly value: Node;
}

const attributesOf = ({ children }: OtherNode, module: SourceModule): Attribute[] => children.flatMap((node) => attributeAt(node, module));

function attributeAt(node: Node, { text }: SourceModule): Attribute[] {
  if (node.kind !== 'other' || node.what !== 'JsxAttribute') return [];
  const name = /^[\w$-]+/.exec(text.slice(node.start, node.end))?.[0];
  const [value] = node.children.flatMap((each) => (each.kind === 'other' && each.what === 'JsxExpression' ? each.children : [each]));
  return name === undefined || value === undefined ? [] : [{ name, node, value }];
}

/** What a component is given by those who use it: `<Provider client={client} />`, `createElement(Provider, { client })`. */
const drawnWith = givenAt(0, (module) => [...elementsIn(module), ...module.calls.flatMap((call) => createdBy(call, module))], isComponent);

/** A component that is drawn is still a function: whoever calls it by hand, or for each of a list, gives it what it gets there. */
const props: NonNullable<ClientRule['injected']> = (ev, param, at) => {
  const drawn = drawnWith(ev, param, at);
  const { parent: fn } = param;
  if (drawn === undefined || fn?.kind !== 'function') return drawn;
  const called = callsOf(ev, fn).flatMap(({ node, module }) => {
    const [given] = node.args;
    if (isTest(module)) return [];
    if (given === undefined || given.kind === 'spread') return [unknown(node, module)];
    return [forAllCallers(ev, undefined, (frame) => ev.evaluate(given, { module, frame }))];
  });
  const items = passedOn(ev, fn).flatMap(({ node, module }) => (isTest(module) ? [] : itemsGivenTo(ev, node, module)));
  return choiceOf([drawn, ...called, ...items]);
};

const elementsIn = (module: SourceModule): Giving[] =>
  nodesOfKind(module.tree.program, 'other').flatMap((element): Giving[] => {
    const [tag] = element.what === 'JsxElement' ? element.children : [];
    if (tag?.kind !== 'member' && tag?.kind !== 'name') return [];
    return [tag, ...handedTo(element, module)].filter(isComponentName).map((named) => ({
      named,
      module,
      // What a component of the project does with what it is handed is read there.
      functions: (ev) => (named === tag || !isOwnComponent(ev, tag, module) ? drawnAt(ev, named, module) : []),
      value: (ev) => propsIn(ev, element, named === tag && !isWhole(ev, tag, module), module),
    }));
  });

/** What begins with a small letter is an element of the page, whatever has that name: https://react.dev/reference/react/createElement. */
const isComponentName = (node: NameNode | MemberNode): boolean => node.kind === 'member' || !/^[a-z]/.test(node.name);

/** `<Route component={Contacts} base={base} />`, `<Box as={Contacts} base={base} />`: an element may draw what it is handed, by itself or in a list, with all that it has. */
const handedTo = (element: OtherNode, module: SourceModule): (NameNode | MemberNode)[] =>
  attributesOf(element, module)
    .flatMap(({ value }): readonly (Node | undefined)[] => (value.kind === 'array' ? value.elements : [value]))
    .flatMap((each) => (each?.kind === 'name' || (each?.kind === 'member' && /^[A-Z]/.test(each.property ?? '')) ? [each] : []));

function createdBy(call: CallNode, module: SourceModule): Giving[] {
  const [component, given] = call.args;
  if (!isCallOf(call, creates) || given === undefined || given.kind === 'spread') return [];
  if (component === undefined || component.kind === 'spread' || component.kind === 'string') return [];
  return [
    {
      named: component,
      module,
      functions: (ev) => drawnAt(ev, component, module),
      value: (ev) => ev.evaluate(given, { module, frame: undefined }),
    },
  ];
}

/** `lazy(() => import('./page'))`: what the file has for its default. */
const loaded: LibraryFunction = (ev, args, node, at) => {
  const file = returned(ev, args, node, at);
  return file && ev.member(file, 'default', node, at);
};

const isOwnComponent = (ev: Evaluation, tag: Expression, module: SourceModule): boolean =>
  declaredAs(ev, tag, module)?.node.kind === 'function';

const isWhole = (ev: Evaluation, tag: Expression, module: SourceModule): boolean =>
  isOwnComponent(ev, tag, module) && !isAnywhere(ev.world, String.raw`\b(?:defaultProps|cloneElement)\b`);

/** What counts comes last: `<List {...props} base={base} />`. Wrappers, copies and defaults that a component has elsewhere may give it more. */
function propsIn(ev: Evaluation, element: OtherNode, isOpen: boolean, module: SourceModule): ObjectValue {
  const at = { module, frame: undefined };
  const shape = new Shape();
  if (isOpen) shape.open(unknown(element, module));
  for (const child of element.children) {
    if (child.kind === 'spread') shape.spread(ev.evaluate(child.argument, at));
    for (const { name, node, value } of attributeAt(child, module)) {
      const lazy = lazily([value], () => ev.evaluate(value, at));
      shape.write([{ name, key: undefined, node, module, valueNode: undefined, value: lazy }]);
    }
  }
  return { type: 'object', node: element, module, ...shape.end() };
}

const ofReact = /['"]p?react(?:\/compat)?['"]/;

export const reactLibrary: ClientRule = {
  name: 'react',
  functions: {
    'react:useMemo': returned,
    'react:useCallback': first,
    'react:cache': first,
    'react:memo': first,
    'react:lazy': loaded,
    'react:forwardRef': first,
    'react:useRef': keptAs('current', first),
    'react:useState': state,
  },
  carriers: ['createContext'],
  // https://react.dev/reference/react/useContext
  carries: [
    { where: ofReact, puts, asks: (node) => askedBy(node, space, { method: /^(?:useContext|use)$/ }) },
    { where: ofReact, puts: setsState, asks: readsState },
  ],
  injected: props,
  dependencyLists: dependent,
};
