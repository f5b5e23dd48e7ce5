/**
 * The one tree that all rules read, whichever engine parsed the file. It keeps what decides where a request goes and with
 * which header; everything else is `other`, with its children in source order. Parentheses, type assertions, `satisfies` and
 * `!` are left out (the expression inside stands for them), types are dropped but for the names that classes and parameters
 * are annotated with. Positions are UTF-16 offsets into the file's text as it was read, BOM included.
 */

interface Base {
  /** Offset of the first character. */
  readonly start: number;
  /** Offset after the last character. */
  readonly end: number;
  /** Set by `link`; the program has none. */
  parent?: Node;
}

/** A string literal or a template without expressions; in a configuration, a word that stands there without quotes. */
export interface StringNode extends Base {
  readonly kind: 'string';
  readonly value: string;
  readonly quote: '"' | "'" | '`' | '';
}

/** A template literal with expressions; `texts` has one more element than `expressions`. */
export interface TemplateNode extends Base {
  readonly kind: 'template';
  readonly texts: readonly TemplateText[];
  readonly expressions: readonly Expression[];
}

export interface TemplateText {
  readonly start: number;
  readonly end: number;
  /** The cooked text. */
  readonly value: string;
}

/** A number, boolean, null or regular expression. */
export interface LiteralNode extends Base {
  readonly kind: 'literal';
  readonly value: number | boolean | null | { readonly pattern: string; readonly flags: string };
}

/** An identifier that is read, called or assigned: a reference. Names that declare something are `PatternName`. */
export interface NameNode extends Base {
  readonly kind: 'name';
  readonly name: string;
}

/** `import.meta` is a member of the name `import`. */
export interface MemberNode extends Base {
  readonly kind: 'member';
  readonly object: Expression;
  /** The static name (`a.b`, `a?.b`, `a.#b` as `#b`), else undefined and `computed` is set. */
  readonly property?: string;
  readonly computed?: Expression;
  /** Where the property's name or the computed expression stands. */
  readonly propertyStart: number;
  readonly propertyEnd: number;
}

export interface CallNode extends Base {
  readonly kind: 'call';
  readonly callee: Expression;
  readonly args: readonly (Expression | SpreadNode)[];
  /** `new C()`. */
  readonly isNew: boolean;
}

/** `tag` followed by a template. */
export interface TaggedNode extends Base {
  readonly kind: 'tagged';
  readonly tag: Expression;
  readonly template: TemplateNode | StringNode;
}

export interface SpreadNode extends Base {
  readonly kind: 'spread';
  readonly argument: Expression;
}

export interface PropertyNode extends Base {
  readonly kind: 'property';
  /** The static name of an identifier, string or number key; undefined where it is computed. */
  readonly name?: string;
  /** Where the key stands, quotes and brackets included. */
  readonly keyStart: number;
  readonly keyEnd: number;
  /** The expression between the brackets of a computed key. */
  readonly computed?: Expression;
  /** For a shorthand this is the reference; for a method, getter or setter the function, from after its key. */
  readonly value: Expression;
  readonly shorthand: boolean;
  readonly accessor?: 'get' | 'set';
}

export interface ObjectNode extends Base {
  readonly kind: 'object';
  readonly properties: readonly (PropertyNode | SpreadNode)[];
}

export interface ArrayNode extends Base {
  readonly kind: 'array';
  /** undefined for an unknown part. */
  readonly elements: readonly (Expression | SpreadNode | undefined)[];
}

/** `left + right`. */
export interface ConcatNode extends Base {
  readonly kind: 'concat';
  readonly left: Expression;
  readonly right: Expression;
}

/** Any other binary operator. */
export interface BinaryNode extends Base {
  readonly kind: 'binary';
  readonly operator: string;
  readonly left: Expression;
  readonly right: Expression;
}

export interface LogicalNode extends Base {
  readonly kind: 'logical';
  readonly operator: '||' | '&&' | '??';
  readonly left: Expression;
  readonly right: Expression;
}

export interface ConditionalNode extends Base {
  readonly kind: 'conditional';
  readonly test: Expression;
  readonly whenTrue: Expression;
  readonly whenFalse: Expression;
}

export interface AssignNode extends Base {
  readonly kind: 'assign';
  /** `=`, `+=`, `||=`, `??=` … */
  readonly operator: string;
  readonly target: Expression | Pattern;
  readonly value: Expression;
}

/** `!x`, `typeof x`, `delete x`, `void x`, `-x`, `++x`. */
export interface UnaryNode extends Base {
  readonly kind: 'unary';
  readonly operator: string;
  readonly argument: Expression;
}

export interface AwaitNode extends Base {
  readonly kind: 'await';
  readonly argument: Expression;
}

export interface ThisNode extends Base {
  readonly kind: 'this' | 'super';
}

export interface FunctionNode extends Base {
  readonly kind: 'function';
  /** The declared or own name. */
  readonly name?: PatternName;
  readonly params: readonly ParamNode[];
  /** An expression for arrow functions without braces; undefined for overloads and abstract methods. */
  readonly body?: BlockNode | Expression;
  readonly isArrow: boolean;
  /** A statement (`function f() {}`), not an expression. */
  readonly isDeclaration: boolean;
}

export interface ParamNode extends Base {
  readonly kind: 'param';
  readonly target: Pattern;
  readonly default?: Expression;
  readonly isRest: boolean;
  /** The name of the annotated type: `HttpClient` for `http: HttpClient | undefined`, `AxiosInstance` for `c?: AxiosInstance`, `a.B` for `c: a.B`, `typeof fetch` for itself. */
  readonly typeName?: string;
  /** TypeScript's `constructor(private http: …)`: also a field of the class. */
  readonly isField: boolean;
  readonly decorators: readonly Expression[];
}

export interface ClassNode extends Base {
  readonly kind: 'class';
  readonly name?: PatternName;
  readonly superclass?: Expression;
  readonly members: readonly MemberDeclaration[];
  readonly decorators: readonly Expression[];
  readonly isDeclaration: boolean;
}

export interface MemberDeclaration extends Base {
  readonly kind: 'classMember';
  readonly role: 'field' | 'method' | 'constructor' | 'get' | 'set' | 'static block';
  readonly isStatic: boolean;
  /** undefined where it is computed; `#x` for private names. */
  readonly name?: string;
  readonly computed?: Expression;
  /** A field's initialiser or the function (from after its key); undefined for a field without one. A static block is a function without parameters. */
  readonly value?: Expression;
  readonly typeName?: string;
  readonly decorators: readonly Expression[];
}

/** Patterns declare names; in an assignment their leaves are references instead. */
export type Pattern = PatternName | ObjectPattern | ArrayPattern;

export interface PatternName extends Base {
  readonly kind: 'patternName';
  readonly name: string;
}

export interface ObjectPattern extends Base {
  readonly kind: 'objectPattern';
  readonly properties: readonly PatternProperty[];
  readonly rest?: Pattern | Expression;
}

export interface PatternProperty extends Base {
  readonly kind: 'patternProperty';
  readonly name?: string;
  readonly computed?: Expression;
  readonly keyStart: number;
  readonly keyEnd: number;
  /** A reference or member where the pattern stands in an assignment. */
  readonly target: Pattern | Expression;
  readonly default?: Expression;
  readonly shorthand: boolean;
}

export interface ArrayPattern extends Base {
  readonly kind: 'arrayPattern';
  readonly elements: readonly (
    | { readonly target: Pattern | Expression; readonly default?: Expression; readonly isRest: boolean }
    | undefined
  )[];
}

/** One declarator: `const a = 1, b = 2` gives two. The `x` of `for (const x of y)` has `y` for `init`, and `each`. */
export interface VariableNode extends Base {
  readonly kind: 'variable';
  readonly declares: 'const' | 'let' | 'var';
  readonly target: Pattern;
  readonly init?: Expression;
  /** Set in the head of a loop: it is one of the values, or keys (`for … in`), of `init`. */
  readonly each?: 'value' | 'key';
  readonly typeName?: string;
}

export interface EnumNode extends Base {
  readonly kind: 'enum';
  readonly name: PatternName;
  readonly members: readonly { readonly name: string; readonly value?: Expression }[];
}

/**
 * `import a, { b as c } from 'm'`, `import * as d from 'm'`, `import e = require('m')` (imports `*`); type-only imports are kept
 * with `isType`. `import a = b.c` is a variable.
 */
export interface ImportNode extends Base {
  readonly kind: 'import';
  readonly source: StringNode;
  readonly isType: boolean;
  readonly specifiers: readonly {
    /** `default`, `*` or the exported name. */
    readonly imported: string;
    readonly local: PatternName;
  }[];
}

/** `export { a as b }`, `export { a as b } from 'm'`, `export * from 'm'`, `export * as n from 'm'`; type-only exports are left out. */
export interface ExportNode extends Base {
  readonly kind: 'export';
  readonly source?: StringNode;
  readonly specifiers: readonly {
    /** The local name, or the name in the other module; `*` for all. */
    readonly name: string;
    /** The name given to it; undefined for `export *`. */
    readonly exported?: string;
    /** The reference where there is no source. */
    readonly reference?: NameNode;
  }[];
}

/** `export default x`, `export = x`, or the mark that a declaration is exported (`export const …`). */
export interface ExportDeclarationNode extends Base {
  readonly kind: 'exportDeclaration';
  readonly isDefault: boolean;
  /** `export = x` */
  readonly isAssignment: boolean;
  /** Variables (one node each), function, class, enum, or an expression. */
  readonly declarations: readonly Node[];
}

export interface ReturnNode extends Base {
  readonly kind: 'return';
  readonly argument?: Expression;
}

/**
 * Opens a scope: `{}`, a loop with its head, a catch clause with its parameter and statements, a switch with what it decides on
 * and its clauses (each an `other`), a TypeScript namespace (what it exports is no export of the file, so only the
 * declarations are kept).
 */
export interface BlockNode extends Base {
  readonly kind: 'block';
  readonly body: readonly Node[];
  /** A catch clause's parameter. */
  readonly params: readonly Pattern[];
  /** `loop` lets a rule see that something happens again and again. */
  readonly role?: 'loop' | 'catch';
}

/** Anything else: expression statements, `if`, JSX, type members with values, object rest … with its children. */
export interface OtherNode extends Base {
  readonly kind: 'other';
  readonly children: readonly Node[];
  /**
   * TypeScript's name of the syntax, from both engines: `ExpressionStatement`, `IfStatement`, `YieldExpression`, `JsxElement` …
   * (the Babel engine keeps Babel's name for what TypeScript does not have). `import` is the callee of `import('m')`;
   * `ForOfStatement` and `ForInStatement` are the values that `for (x of y)` assigns to an `x` declared elsewhere.
   */
  readonly what: string;
}

export interface ProgramNode extends Base {
  readonly kind: 'program';
  readonly body: readonly Node[];
}

export type Expression =
  | StringNode
  | TemplateNode
  | LiteralNode
  | NameNode
  | MemberNode
  | CallNode
  | TaggedNode
  | ObjectNode
  | ArrayNode
  | ConcatNode
  | BinaryNode
  | LogicalNode
  | ConditionalNode
  | AssignNode
  | UnaryNode
  | AwaitNode
  | ThisNode
  | FunctionNode
  | ClassNode
  | OtherNode;

export type Node =
  | Expression
  | Pattern
  | PatternProperty
  | SpreadNode
  | PropertyNode
  | ParamNode
  | MemberDeclaration
  | VariableNode
  | EnumNode
  | ImportNode
  | ExportNode
  | ExportDeclarationNode
  | ReturnNode
  | BlockNode
  | ProgramNode;

export interface Comment {
  readonly start: number;
  readonly end: number;
  /** With its marks. */
  readonly text: string;
}

/** One file as an engine gives it. */
export interface SyntaxTree {
  readonly program: ProgramNode;
  /** In source order; only those that mention `migrate-v2`, as only these mean anything to the rules. */
  readonly comments: readonly Comment[];
}
