/** Runs the programs of the tests in Node: what their calls of `ask` were really given. */
import { setImmediate } from 'node:timers/promises';
import { compileFunction } from 'node:vm';
import { compiler } from '../../../../codemods/engines/typescript/compiler.ts';
import { type Answers, filesOf, type Program, resolved } from './program.ts';

/** What was given to each question, by its place. */
export type Given = ReadonlyMap<string, readonly unknown[]>;

/** Names that every program may use without declaring them; the evaluator knows nothing of them. */
const circumstances = [true, false].flatMap((flag) => [true, false].map((other) => ({ flag, other })));
const input = { path: '/p', base: 'https://input.test', id: '7', key: 'x-any', options: { url: '/o', method: 'PUT' }, list: ['/i', '/j'] };
const names = ['require', 'module', 'exports', 'ask', 'flag', 'other', 'input', 'process', 'fetch'];

/** Runs a program once in each of a few circumstances: conditions hold or do not, the environment is set or is not. */
export async function runAll(program: Program, answers: Answers): Promise<Given> {
  const given = new Map<string, unknown[]>();
  const scripts = scriptsOf(program, answers);
  for (const { flag, other } of circumstances) {
    const env = new Proxy({}, { get: (_, name) => (flag ? `env ${String(name)}` : undefined) });
    const ask = (place: string, value: unknown): unknown => {
      given.set(place, [...(given.get(place) ?? []), value]);
      return value;
    };
    await runOnce(scripts, { ask, flag, other, input: structuredClone(input), process: { env }, fetch: () => new Promise(() => {}) });
  }
  return given;
}

async function runOnce(scripts: ReadonlyMap<string, string>, globals: Readonly<Record<string, unknown>>): Promise<void> {
  const loaded = new Map<string, { exports: unknown }>();
  const load = (file: string): { readonly exports: unknown; readonly end: unknown } => {
    const before = loaded.get(file);
    if (before !== undefined) return { ...before, end: undefined };
    const module = { exports: {} as unknown };
    loaded.set(file, module);
    const script = scripts.get(file) ?? '';
    if (file.endsWith('.json')) {
      module.exports = JSON.parse(script);
      return { ...module, end: undefined };
    }
    const require = (specifier: string): unknown => {
      const target = resolved([...scripts.keys()], file, specifier);
      return target === undefined ? process.getBuiltinModule(specifier) : load(target).exports;
    };
    const given: Readonly<Record<string, unknown>> = { ...globals, require, module, exports: module.exports };
    const end: unknown = compileFunction(script, names).apply(
      module.exports,
      names.map((name) => given[name]),
    );
    return { exports: module.exports, end };
  };
  const entry = scripts.has('main.ts') ? 'main.ts' : [...scripts.keys()].at(-1);
  await load(entry ?? '').end;
  // What waits for promises goes on after the end of the program.
  await setImmediate();
}

/** The files as scripts that Node runs, in which every question says where it stands. */
function scriptsOf(program: Program, { asked }: Answers): ReadonlyMap<string, string> {
  const files = Object.entries(filesOf(program));
  return new Map(
    files.map(([file, text]) => {
      if (file.endsWith('.json')) return [file, text];
      const own = asked.filter(({ module }) => module.file === file).toReversed();
      const marked = own.reduce((whole, { call: { callee }, place }) => {
        const at = whole.indexOf('(', callee.end) + 1;
        return `${whole.slice(0, at)}${JSON.stringify(place)}, ${whole.slice(at)}`;
      }, text);
      const script = transpiled(marked);
      return [file, text.includes('await') ? `return (async () => {${script}\n})();` : script];
    }),
  );
}

function transpiled(text: string): string {
  const { ModuleKind, ScriptTarget } = compiler;
  const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022, esModuleInterop: true, experimentalDecorators: true };
  return compiler.transpileModule(text, { compilerOptions }).outputText;
}
