/** Programs whose classes, fields and variables are made of themselves, in whatever way comes out. */
import fc from 'fast-check';

const leaves = ['this', 'a', 's', 'this.f', 'a.g', 'this.g.f', 'null', '({ f: a })', "({ f: 'https://api.example.com/v1/contacts' })"];

const { expression } = fc.letrec<{ expression: string; node: string }>((tie) => {
  const one = tie('expression');
  const two = fc.tuple(one, one);
  const made = (form: (text: string) => string): fc.Arbitrary<string> => one.map(form);
  const joined = (form: (one: string, other: string) => string): fc.Arbitrary<string> => two.map(([left, right]) => form(left, right));
  return {
    expression: fc.oneof({ maxDepth: 5, depthSize: 'small' }, fc.constantFrom(...leaves), tie('node')),
    node: fc.oneof(
      made((text) => `new C(${text})`),
      made((text) => `new this.constructor(${text})`),
      made((text) => `(${text}).f`),
      made((text) => `(${text}).made`),
      made((text) => `C.from(${text})`),
      made((text) => `C.find(${text})`),
      made((text) => `[${text}].map((a) => new C(a))[0]`),
      made((text) => `((a) => ${text})(a)`),
      made((text) => `Object.assign(this, ${text})`),
      made((text) => `(s = ${text})`),
      joined((left, right) => `(${left}).go(${right})`),
      joined((left, right) => `({ ...(${left}), g: ${right} })`),
      joined((left, right) => `(c ? ${left} : ${right})`),
      joined((left, right) => `(${left} || ${right})`),
      joined((left, right) => `Object.assign({}, ${left}, ${right})`),
    ),
  };
});

const some = fc.array(expression, { minLength: 7, maxLength: 12 });

/** A base, a class of it, and a variable that is given one after the other. */
export const circular: fc.Arbitrary<string> = some.map(
  ([field = '', other = '', given = '', got = '', from = '', found = '', ...later]) => {
    const own = later.map((text) => `s = ${text.replaceAll('this', 's')};\ns.go(s);`);
    return `let s;
const list = [];
class B {
  constructor(a) { this.f = ${field}; Object.assign(this, a); this.g = ${other}; }
  get made() { const a = this; return ${got}; }
  go(a) { Object.assign(this, a); return ${given}; }
  static from(a) { const m = new this(a); m.go(a); return ${from.replaceAll('this', 'm')}; }
  static find(a) { const m = this.find(a); this.from(m); return ${found}; }
}
class C extends B {}
const a = new C(s);
list.push((s = C.from({})));
${own.join('\n')}
fetch(s.f, { headers: { 'x-api-key': process.env.KEY } });
fetch(s.made.g.f);
list.forEach((each) => fetch(each.f));
`;
  },
);
