/**
 * Statements of a file whose inside is read when it is first asked for: of most functions, classes and constants nobody asks, and to convert
 * them costs as much as to parse them.
 */
import type { ClassNode, FunctionNode, Node, OtherNode, PatternName, VariableNode } from '../../syntax/tree.ts';
import { orFault } from '../engine.ts';
import type { ts } from './compiler.ts';
import type { Reader } from './reader.ts';

type Place = Pick<Node, 'start' | 'end'>;

/** How a statement is read when its inside is asked for. It must not hold what the compiler made of the file: that is let go. */
export interface Later<Inside> {
  /** The statement, and what reads it. */
  readonly again: () => readonly [ts.Statement, Reader];
  readonly read: (node: ts.Statement, reader: Reader) => Inside;
}

/** @throws SyntaxFault from whatever is read late, where it is nested too deeply */
abstract class Deferred<Inside> {
  readonly start: number;
  readonly end: number;
  parent: Node | undefined = undefined;
  #later: Later<Inside> | undefined;
  #inside: Inside | undefined;

  constructor({ start, end }: Place, later: Later<Inside>) {
    this.start = start;
    this.end = end;
    this.#later = later;
  }

  protected inside(): Inside {
    const later = this.#later;
    if (later !== undefined) this.#inside = orFault(() => later.read(...later.again()));
    this.#later = undefined;
    return this.#inside as Inside;
  }
}

export class DeferredFunction extends Deferred<FunctionNode> implements FunctionNode {
  readonly kind = 'function';
  readonly name: FunctionNode['name'];
  readonly isArrow: boolean;
  readonly isDeclaration: boolean;

  constructor(
    { name, isArrow, isDeclaration, ...place }: Omit<FunctionNode, 'kind' | 'params' | 'body' | 'parent'>,
    later: Later<FunctionNode>,
  ) {
    super(place, later);
    this.name = name;
    this.isArrow = isArrow;
    this.isDeclaration = isDeclaration;
  }

  get params(): FunctionNode['params'] {
    return this.inside().params;
  }

  get body(): FunctionNode['body'] {
    return this.inside().body;
  }
}

export class DeferredClass extends Deferred<ClassNode> implements ClassNode {
  readonly kind = 'class';
  readonly isDeclaration = true;
  readonly name: PatternName | undefined;

  constructor(name: PatternName | undefined, place: Place, later: Later<ClassNode>) {
    super(place, later);
    this.name = name;
  }

  get superclass(): ClassNode['superclass'] {
    return this.inside().superclass;
  }

  get members(): ClassNode['members'] {
    return this.inside().members;
  }

  get decorators(): ClassNode['decorators'] {
    return this.inside().decorators;
  }
}

export class DeferredVariable extends Deferred<VariableNode['init']> implements VariableNode {
  readonly kind = 'variable';
  readonly each = undefined;
  readonly declares: VariableNode['declares'];
  readonly target: VariableNode['target'];
  readonly typeName: VariableNode['typeName'];

  constructor(
    { declares, target, typeName, ...place }: Pick<VariableNode, 'declares' | 'target' | 'typeName' | 'start' | 'end'>,
    later: Later<VariableNode['init']>,
  ) {
    super(place, later);
    this.declares = declares;
    this.target = target;
    this.typeName = typeName;
  }

  get init(): VariableNode['init'] {
    return this.inside();
  }
}

export class DeferredExpression extends Deferred<OtherNode['children']> implements OtherNode {
  readonly kind = 'other';
  readonly what = 'ExpressionStatement';

  get children(): OtherNode['children'] {
    return this.inside();
  }
}
