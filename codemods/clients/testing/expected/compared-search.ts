/**
 * What a value is compared with that a mock read of a request, wherever the test keeps it until then: in a variable, a list, a property of
 * an object. The scheme that comes before the key has to be expected there, too.
 */
import { aliasesOf } from '../../../evaluate/names/aliases.ts';
import { given } from '../../../evaluate/libraries/spied.ts';
import { functionAround, functionsOf, nameOf } from '../../../evaluate/calls/callees.ts';
import type { At, Evaluation } from '../../../evaluate/evaluation.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { settledBy } from '../../../evaluate/calls/promise-executors.ts';
import { plainText, type Value } from '../../../evaluate/values/values.ts';
import type { Binding } from '../../../syntax/scopes.ts';
import type { AssignNode, CallNode, Expression, FunctionNode, MemberNode, Node, Pattern, TemplateNode } from '../../../syntax/tree.ts';
import { adding } from './captured.ts';
import { isForReads, isNamedOnly, isReadAlso, isRecorder, referencesTo } from './compared-reads.ts';
import { type Compared, open } from './compared.ts';
import { asksLength, comparedIn, equality, type Expected, expectedBy, isEmpty, isShowing, otherSide } from './compared-with.ts';
import { placesOfOwnField } from './recorded-fields.ts';
import { type InText, inTextOf, keyIn } from './key-in-text.ts';
import { asking, clearing, copying, indexIn, isAt, isItem, item, itemAt, meantOf, namesBeside } from './list-items.ts';
import { perItem, taking } from '../../../syntax/item-methods.ts';

/** Something of which a value is part: in the list or object that the names lead through. */
interface Kept {
  readonly node: Node;
  readonly module: SourceModule;
  readonly path: readonly string[];
  /** … and of a text in there. */
  readonly inText?: InText;
  /** What stands in the place of a key that is not sent: `key ?? 'none'`. */
  readonly instead?: readonly Expression[];
}

/** What a function gives, as a name that leads there. */
const answer = '()';

const maxPlaces = 200;
const maxDepth = 4;

/** Whether an expression is a statement by itself. */
const isUnused = ({ parent }: Node): boolean =>
  parent?.kind === 'other' && parent.what.endsWith('Statement') && parent.what !== 'ThrowStatement';

/** Follows a value from where it is read to all that it is compared with. */
export class Search {
  readonly #ev: Evaluation;
  readonly #at: At;
  readonly #waiting: Kept[] = [];
  readonly #seen = new Map<Node | Binding, Set<string>>();
  readonly #found: Compared[] = [];

  constructor(ev: Evaluation, at: At) {
    this.#ev = ev;
    this.#at = at;
  }

  run(read: Node): readonly Compared[] {
    this.#keep({ node: read, module: this.#at.module, path: [] });
    return this.#end(read);
  }

  runInto(fn: FunctionNode): readonly Compared[] {
    const [param] = fn.params;
    if (param !== undefined && !param.isRest) return this.runTaken(fn, param.target);
    if (param !== undefined || !fn.isArrow) this.#open({ node: fn, module: this.#at.module });
    return this.#end(fn);
  }

  /** @param otherwise what a pattern has in the place of a key that is not sent */
  runTaken(node: Node, target: Pattern | Expression, otherwise?: Expression): readonly Compared[] {
    this.#declared({ node, module: this.#at.module, path: [], ...(otherwise && { instead: [otherwise] }) }, target);
    return this.#end(node);
  }

  #end(read: Node): readonly Compared[] {
    let places = 0;
    for (let kept = this.#waiting.pop(); kept !== undefined; kept = this.#waiting.pop()) {
      if (++places > maxPlaces) return [open(read, this.#at.module)];
      this.#follow(kept);
    }
    return this.#found;
  }

  #keep(kept: Kept): void {
    if (this.#isNew(kept.node, kept.path, kept.inText)) this.#waiting.push(kept);
  }

  #isNew(node: Node | Binding, path: readonly string[], inText?: InText): boolean {
    const known = this.#seen.get(node) ?? new Set<string>();
    this.#seen.set(node, known);
    return path.length <= maxDepth && known.size < known.add([...path, ...(inText ? [inText.template.start] : [])].join('.')).size;
  }

  #open({ node, module }: Pick<Kept, 'node' | 'module'>): void {
    this.#found.push(open(node, module));
  }

  #compare(other: Expected | undefined, { node, module, inText, instead = [] }: Kept): void {
    if (other === undefined) return;
    if (other === 'open') return this.#open({ node, module });
    const at: At = module === this.#at.module ? this.#at : { module, frame: undefined };
    const value = (): Value => this.#ev.evaluate(other, at);
    const said = plainText(value());
    if (said !== undefined && instead.some((each) => plainText(this.#ev.evaluate(each, at)) === said)) return;
    const key = inText === undefined ? { value } : keyIn(value(), other, module, inText);
    if (key === undefined) this.#open({ node, module });
    else this.#found.push({ node, module, valueNode: other, ...key });
  }

  /** What has it now, in the expression around. */
  #on(kept: Kept, node: Node, path = kept.path): void {
    this.#keep({ ...kept, node, path });
  }

  #follow(kept: Kept): void {
    const { node, path } = kept;
    const { parent } = node;
    switch (parent?.kind) {
      case 'await':
      case 'spread':
        return this.#on(kept, parent);
      case 'conditional':
        return parent.test === node ? undefined : this.#on(kept, parent);
      case 'logical':
        if (parent.left !== node) return this.#on(kept, parent);
        return parent.operator === '&&' ? undefined : this.#on({ ...kept, instead: [...(kept.instead ?? []), parent.right] }, parent);
      case 'binary':
        if (path.length > 0) return undefined;
        if (!equality.has(parent.operator)) return this.#open(kept);
        return this.#compare(otherSide(parent, node), { ...kept, node: parent });
      case 'property':
        if (parent.computed === node || parent.name === undefined || parent.parent === undefined) return this.#open(kept);
        return this.#on(kept, parent.parent, [parent.name, ...path]);
      case 'object':
        return this.#on(kept, parent);
      case 'template':
        return this.#inText(kept, parent);
      case 'array':
        return this.#on(kept, parent, namesBeside(parent.elements, kept));
      case 'variable':
        return this.#declared(kept, parent.target, parent.each);
      case 'assign':
        return parent.target === node ? this.#replaced(kept, parent) : this.#assigned(kept, parent);
      case 'member':
        return parent.object === node ? this.#member(kept, parent) : this.#open(kept);
      case 'call':
        return parent.callee === node ? this.#called(kept, parent) : this.#argument(kept, parent);
      case 'return':
        return this.#returned(kept, functionAround(parent));
      case 'function':
        return parent.body === node ? this.#returned(kept, parent) : this.#open(kept);
      case 'unary':
      case 'exportDeclaration':
      case 'export':
        return undefined;
      case 'block':
        return this.#cases(kept, parent.body);
      default:
        return isUnused(node) ? undefined : this.#open(kept);
    }
  }

  /** `` `${url} ${key}` `` */
  #inText(kept: Kept, template: TemplateNode): void {
    const inText = kept.path.length > 0 || kept.inText !== undefined ? undefined : inTextOf(template, kept.node);
    if (inText === undefined) this.#open(kept);
    else this.#keep({ ...kept, node: template, inText });
  }

  /** `switch (key) { case '…': }` */
  #cases(kept: Kept, body: readonly Node[]): void {
    for (const clause of kept.path.length > 0 ? [] : body) {
      const [value] = clause.kind === 'other' && clause.what === 'CaseClause' ? clause.children : [];
      // What stands in the head of a clause is an expression.
      if (value !== undefined) this.#compare(value as Expression, { ...kept, node: clause });
    }
  }

  /** Everybody who names what a pattern takes of it. */
  #declared(kept: Kept, target: Pattern | Expression, each?: 'value' | 'key'): void {
    const { module, path } = kept;
    if (each === 'key') return;
    const [name, ...rest] = path;
    if (each === 'value') return name === item ? this.#declared({ ...kept, path: rest }, target) : this.#open(kept);
    if (target.kind === 'patternName') return this.#named(module.scopes.declaredBy(target), kept);
    if (target.kind === 'name') return this.#named(module.scopes.bindingOf(target), kept);
    if (target.kind === 'objectPattern') {
      if (target.rest !== undefined) this.#declared(kept, target.rest);
      for (const property of target.properties) {
        if (property.name === undefined) this.#open(kept);
        else if (property.name === name) this.#declared({ ...kept, path: rest }, property.target);
      }
      return;
    }
    if (target.kind !== 'arrayPattern' || name === undefined || !isItem(name)) return this.#open(kept);
    for (const [index, element] of target.elements.entries()) {
      if (element?.isRest === true && name !== item) this.#open(kept);
      else if (element?.isRest === true) this.#declared(kept, element.target);
      else if (element !== undefined && isAt(name, index)) this.#declared({ ...kept, path: rest }, element.target);
    }
  }

  #named(binding: Binding | undefined, kept: Kept): void {
    if (binding === undefined) return this.#open(kept);
    if (!this.#isNew(binding, kept.path, kept.inText)) return;
    for (const reference of binding.references) this.#keep({ ...kept, node: reference });
    for (const alias of aliasesOf(this.#ev.world, binding))
      for (const reference of alias.binding.references) this.#keep({ ...kept, node: reference, module: alias.module });
  }

  /** `seen = key`, `seen.key = key`, `seen[0] = key` */
  #assigned(kept: Kept, assignment: AssignNode): void {
    if (assignment.operator === '+=') return this.#open(kept);
    this.#on(kept, assignment);
    const { target } = assignment;
    if (target.kind === 'name' || target.kind === 'member') this.#put(kept, target, kept.path);
    else this.#open(kept);
  }

  /** Whoever holds what it is put into has it. */
  #put(kept: Kept, target: Node, path: readonly string[]): void {
    const names: string[] = [];
    let at = target;
    for (; at.kind === 'member'; at = at.object) {
      const index = indexIn(at.computed);
      const name = at.property ?? (index === undefined ? undefined : itemAt(index, Infinity));
      if (name === undefined) return this.#open(kept);
      names.unshift(name);
    }
    const places = placesOfOwnField(this.#ev, at, names[0], kept.module);
    for (const place of places ?? []) this.#keep({ ...kept, ...place, path: [...names.slice(1), ...path] });
    if (places === undefined)
      this.#named(at.kind === 'name' ? kept.module.scopes.bindingOf(at) : undefined, { ...kept, path: [...names, ...path] });
  }

  /** What else is put in the place of it is compared just as well: nothing, or what other requests have there. */
  #replaced(kept: Kept, { value }: AssignNode): void {
    // `server = await startServer()`: it came by this.
    if (this.#seen.get(value)?.has(kept.path.join('.')) === true) return;
    for (const other of comparedIn(value, kept.path)) {
      if (other === 'open') this.#open({ ...kept, node: value });
      else if (!isEmpty(other) && !isReadAlso(this.#ev, other, kept.module, kept.inText)) this.#open({ ...kept, node: other });
    }
  }

  #member(kept: Kept, member: MemberNode): void {
    const { path } = kept;
    const [name, ...rest] = path;
    const { parent, computed } = member;
    const property = member.property ?? (computed?.kind === 'string' ? computed.value : undefined);
    const call = parent?.kind === 'call' && parent.callee === member ? parent : undefined;
    if (name === undefined) return this.#ofText(kept, member, call);
    // `fake.lastKey()`: what is called there is what gives it.
    if (call !== undefined && property === name) return this.#on(kept, call, rest.slice(1));
    if (property === 'mock') return this.#recorded(kept, member);
    if (call === undefined && property === name) return this.#on(kept, member, rest);
    if (call === undefined && property === undefined && isItem(name)) return this.#indexed(kept, member, name, rest);
    if (call === undefined) return property === undefined ? this.#open(kept) : undefined;
    if (isItem(name)) this.#ofList(kept, property ?? '', call);
    else if (property === undefined || property === 'then') this.#open(kept);
  }

  /** `seen[0]`; which one `seen[at]` is nobody can tell. */
  #indexed(kept: Kept, member: MemberNode, name: string, path: readonly string[]): void {
    const index = indexIn(member.computed);
    if (index === undefined && name !== item) this.#open(kept);
    else if (index === undefined || isAt(name, index)) this.#on(kept, member, path);
  }

  /** `spy.mock.calls[0][0]`, `spy.mock.lastCall[0]`: what it was given there. */
  #recorded(kept: Kept, { parent: record }: MemberNode): void {
    const [name, ...rest] = kept.path;
    const listed = record?.parent;
    const isCalls = record?.kind === 'member' && record.property === 'calls';
    const one = isCalls && listed?.kind === 'member' && listed.computed?.kind === 'literal' ? listed : record;
    const taken = one?.parent;
    const isOne = one !== record || (record?.kind === 'member' && record.property === 'lastCall');
    if (!isOne || taken?.kind !== 'member' || taken.computed?.kind !== 'literal') return this.#open(kept);
    if (given(Number(taken.computed.value)) === name) this.#on(kept, taken, rest);
  }

  /** What gives it, or a mock that keeps what else it is called with. */
  #called(kept: Kept, call: CallNode): void {
    const [name, ...path] = kept.path;
    if (name === answer) this.#on(kept, call, path);
    else this.#recordedAlso(kept, call);
  }

  /** What else a mock is called with: see `#replaced`. */
  #recordedAlso(kept: Kept, { args }: CallNode): void {
    const [name, ...path] = kept.path;
    const arg = args.find((_each, index) => given(index) === name);
    if (arg !== undefined) this.#added({ ...kept, path }, arg);
  }

  /** A method of the text itself. */
  #ofText(kept: Kept, member: MemberNode, call: CallNode | undefined): void {
    if (call !== undefined && /^(?:trim|toString)$/.test(member.property ?? '')) this.#on(kept, call);
    else if (!asksLength(member)) this.#open({ ...kept, node: member });
  }

  #ofList(kept: Kept, method: string, call: CallNode): void {
    const [name = item, ...rest] = kept.path;
    const [fn] = call.args;
    if (adding.has(method)) {
      const meant = meantOf(name, call.args);
      return meant === undefined ? this.#open(kept) : meant.forEach((arg) => this.#added({ ...kept, path: rest }, arg));
    }
    if (method === 'splice') return this.#spliced(kept, call);
    if (name !== item) return clearing.has(method) ? undefined : this.#open(kept);
    if (taking.has(method)) this.#on(kept, call, rest);
    else if (copying.has(method)) this.#on(kept, call);
    else if (asking.has(method)) {
      if (rest.length === 0 && fn !== undefined) this.#compare(fn.kind === 'spread' ? 'open' : fn, { ...kept, node: call });
    } else if (!perItem.has(method)) {
      if (!clearing.has(method)) this.#open(kept);
    }
    if (!perItem.has(method) || fn === undefined || fn.kind === 'spread') return;
    const functions = functionsOf(this.#ev, fn, { module: kept.module, frame: undefined });
    if (functions.length === 0) this.#open(kept);
    for (const { node, module } of functions) {
      const target = node.kind === 'function' ? node.params[0]?.target : undefined;
      if (target !== undefined) this.#declared({ ...kept, node, module, path: rest }, target);
    }
  }

  /** `calls.splice(0)`: what is taken out, with what is put in its place. */
  #spliced(kept: Kept, call: CallNode): void {
    const [name, ...rest] = kept.path;
    const [start, , ...added] = call.args;
    for (const arg of added) this.#added({ ...kept, path: rest }, arg);
    if (name === item || indexIn(start) === 0) this.#on(kept, call);
    else if (!isUnused(call)) this.#open(kept);
  }

  /** What else is put into a list: see `#replaced`. */
  #added(kept: Kept, arg: Node): void {
    for (const other of arg.kind === 'spread' ? (['open'] as const) : comparedIn(arg, kept.path)) {
      const node = other === 'open' ? arg : other;
      // `const note = (line) => lines.push(line);`: it came by this.
      const isOwn = this.#seen.has(node) || isEmpty(node);
      if (other === 'open' || (!isOwn && !isReadAlso(this.#ev, other, kept.module, kept.inText))) this.#open({ ...kept, node });
    }
  }

  #argument(kept: Kept, call: CallNode): void {
    const { module, node, path } = kept;
    const { callee } = call;
    const [first] = call.args;
    const name = callee.kind === 'name' ? callee.name : callee.kind === 'member' ? (callee.property ?? '') : '';
    // A list may be called `log`, too.
    if ((isShowing(callee) && !adding.has(name)) || name === 'Boolean') return;
    if (callee.kind === 'name' && name === 'String') return this.#on(kept, call);
    const promise = settledBy(call, module);
    if (promise !== undefined) return this.#on(kept, promise);
    const expected = expectedBy(call, node, path, kept.inText !== undefined);
    if (expected !== undefined) return expected.forEach((other) => this.#compare(other, { ...kept, node: call }));
    if (callee.kind === 'member' && adding.has(name)) return this.#put(kept, callee.object, namesBeside(call.args, kept));
    if (name === 'assign' && first !== undefined && first !== node) return this.#put(kept, first, path);
    const index = call.args.findIndex((arg) => arg === node);
    if (callee.kind === 'name' && index !== -1 && isRecorder(this.#ev.evaluate(callee, { module, frame: undefined })))
      return this.#named(module.scopes.bindingOf(callee), { ...kept, path: [given(index), ...path] });
    const functions = functionsOf(this.#ev, callee, { module, frame: undefined });
    if (functions.length === 0 || index === -1) return this.#open(kept);
    for (const fn of functions) {
      const param = fn.node.kind === 'function' ? fn.node.params[index] : undefined;
      if (fn.node.kind === 'class' || param?.isRest === true || !isForReads(this.#ev, fn, index, kept.inText)) this.#open(kept);
      else if (param !== undefined) this.#declared({ ...kept, module: fn.module }, param.target);
    }
  }

  /** Whoever calls a function by its name has what it returns. */
  #returned(kept: Kept, fn: FunctionNode | undefined): void {
    const { module } = kept;
    const around = fn?.parent;
    if (fn === undefined) return this.#open(kept);
    if (around?.kind === 'call' && around.callee.kind === 'member' && perItem.has(around.callee.property ?? '')) {
      if (/^(?:map|flatMap)$/.test(around.callee.property ?? '')) this.#on(kept, around, [item, ...kept.path]);
      return;
    }
    // `return { lastKey: () => key }`
    if (around?.kind === 'property' && around.name !== undefined && around.parent?.kind === 'object')
      return this.#on(kept, around.parent, [around.name, answer, ...kept.path]);
    const name = nameOf(fn);
    if (name === undefined) return this.#open(kept);
    for (const place of referencesTo(this.#ev.world, name, module)) {
      const { parent } = place.node;
      if (parent?.kind === 'call' && parent.callee === place.node) this.#keep({ ...kept, ...place, node: parent });
      else if (!isNamedOnly(parent)) this.#open(place);
    }
  }
}
