/** Which `this` a name keeps, and whose that is: a function that asks itself again on another object is another way. */
import { describe, expect, it } from 'vitest';
import { clientRules } from '../../../codemods/clients/registry.ts';
import { loadEngines } from '../../../codemods/engines/choose.ts';
import { createEvaluation } from '../../../codemods/evaluate/evaluate.ts';
import { type SourceModule, sourceModule } from '../../../codemods/evaluate/module.ts';
import { callGraphOf } from '../../../codemods/requests/call-graph.ts';
import { cyclesOf } from '../../../codemods/requests/recursion.ts';
import { ownerOfThis, thisIn } from '../../../codemods/requests/this-by-name.ts';
import { nodesOfKind } from '../../../codemods/syntax/link.ts';

const engines = await loadEngines();
const moduleOf = (text: string): SourceModule => sourceModule('a.js', text, engines.parse('a.js', text).tree);

/** Whose `this` that is on which `ask` is called: what the function or class around it is called; undefined where it is none. */
function ownerIn(text: string): string | undefined {
  const module = moduleOf(text);
  const [asked] = module.calls.flatMap(({ callee }) => (callee.kind === 'member' && callee.property === 'ask' ? callee.object : []));
  const self = asked && thisIn(asked, module);
  const owner = self && ownerOfThis(self, module);
  return owner?.kind === 'function' || owner?.kind === 'class' ? owner.name?.name : undefined;
}

describe('the this of a call is that of', () => {
  it.each([
    ['the function around it', `function outer() { this.ask(); }`, 'outer'],
    ['the function around an arrow', `function outer() { return () => this.ask(); }`, 'outer'],
    ['the function in which a name keeps it', `function outer() { var self = this; return function inner() { self.ask(); }; }`, 'outer'],
    ['the function that another is bound in', `function outer() { return function inner() { this.ask(); }.bind(this); }`, 'outer'],
    ['the same by a name', `function outer() { var self = this; return function inner() { this.ask(); }.bind(self); }`, 'outer'],
    [
      'nothing that is seen where it is bound to another',
      `function outer() { return function inner() { this.ask(); }.bind(other); }`,
      undefined,
    ],
    ['nothing where the name is put elsewhere', `function outer() { var self = this; self = other; self.ask(); }`, undefined],
    ['nothing where the name is declared twice', `function outer() { var self = this; var self = other; self.ask(); }`, undefined],
    ['nothing where the name is taken out of it', `function outer() { var { self } = this; self.ask(); }`, undefined],
  ])('%s', (_, text, owner) => {
    expect(ownerIn(text)).toBe(owner);
  });
});

/** How often the first function that asks comes back to itself. */
function cyclesIn(text: string): number {
  const module = moduleOf(text);
  const ev = createEvaluation({ modules: new Map([[module.file, module]]), resolve: () => undefined }, clientRules);
  const fn = nodesOfKind(module.tree.program, 'function').find(
    ({ parent }) => parent?.kind === 'assign' && parent.target.kind === 'member' && parent.target.property === 'ask',
  );
  return fn === undefined ? 0 : cyclesOf(callGraphOf(ev).callers, fn).length;
}

describe('a function comes back to itself', () => {
  it('as what it was made as by the call that it stands in', () => {
    expect(cyclesIn(`function Api() { var self = this; this.ask = function (u) { fetch(u); self.ask(u); }; } new Api().ask('a');`)).toBe(1);
  });

  it('and not on the object of what made another with it', () => {
    const again = `function () { var self = this; var other = new Api(); other.ask = function (u) { fetch(u); self.ask(u); }; return other; }`;
    expect(cyclesIn(`function Api() {} Api.prototype.again = ${again}; new Api().again().ask('a');`)).toBe(0);
  });
});
