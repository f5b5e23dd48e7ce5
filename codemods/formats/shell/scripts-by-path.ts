/**
 * Scripts in languages that are read, or of which only the name is known, by the path that a command has of them: `bash tools/seed.sh`, `npx tsx ../tools/seed.ts`,
 * `./tools/seed`, `. ../ops/seed.sh`, `go run ./cmd/seed`. What a build makes is no file here, and is the program itself.
 */
const ofShell = /^(?:ba|z|da|k|a)?sh$/;
const ofJs = /^(?:node|nodejs|bun|deno|tsx|esno|ts-node(?:-\w+)?|tsnd|nodemon|node-dev|babel-node|swc-node|vite-node)$/;
/** Which are followed by a path or by options only. */
const ofOthers = /^(?:Rscript|julia|lua[\d.]*|luajit|elixir|groovy|kotlin|scala|swift|tclsh|pwsh|powershell|osascript|crystal)$/;
/** Behind their name, these say that a file is run: another word is a name of something else (`bun test`, `deno fmt`). */
const running = /^(?:run|watch|serve|start)$/;

/** What is sourced for what it sets, and mostly kept out of Git. */
const ofVariables = /env|vars|config|secret|settings|local|credentials/i;

/** Options whose value is a word of its own. */
const valued = {
  shell: /^(?:[-+][a-z]*o|-O|--rcfile|--init-file)$/,
  js: /^(?:-[rCPO]|-c|--(?:require|import|loader|experimental-loader|conditions|project|compiler-options|tsconfig|config|import-map|preload|env-file|cwd|watch|ext|ignore|exec))$/,
  others: /^(?:-[le]|--(?:project|load))$/,
} as const;
/** Code that stands in the command, or comes from a pipe. */
const inline = { shell: /^-[a-z]*[cs]$/, js: /^(?:-[ep]+|--eval|--print|eval)$/, others: /^-(?:e|c|Command|EncodedCommand)$/i } as const;

const ending = /\.(?:[cm]?[jt]sx?|sh|bash|zsh|R|r|jl|lua|exs?|groovy|kts?|scala|sc|swift|tcl|ps1|cr|go)$/;
const builtOf = /\.([cm]?)jsx?$/;

/** Folders that an installer or a machine fills. */
const installed = /(?:^|\/)(?:\.[\w-][^/]*|_\w*|node_modules|vendor|venv|tmp|temp|cache)\//i;
/** Folders that a build fills, with programs of JavaScript or machine code: what has another ending there, somebody wrote. */
const built =
  /(?:^|\/)(?:dist\w*|(?:[\w.]+-)?(?:dist|build|built|out)|(?:dist|out)-[\w.-]+|output|target|lib|bin|release|debug|bundles?|compiled|generated|prod|production|public|esm|cjs|umd)\//i;
/** Where an image or a machine has the program that is built of these files. */
const placeOfProgram =
  /^\/(?:app|apps|code|workspace|workdir|function|functions|var\/(?:task|www|lang)|usr\/(?:src\/)?app|usr\/src|opt\/app|home)\//;
/** What the file is called by which a built program is started. */
const entry =
  /^(?:index|main|server|app|cli|start|worker|handler|lambda|bootstrap|bundle|run|www)(?:[.-](?:bundle|prod|production|min|cluster))?\.[cm]?js$/;
/** What images, and tools that are put into them, bring along. */
const known =
  /(?:^|\/)(?:(?:docker-)?entrypoint(?:\.sh)?|wait-for[\w-]*(?:\.sh)?|nvm\.sh|husky\.sh|activate|profile|\.?\w*rc|[\w.-]*config\.[cm]?[jt]s|(?:install|setup|get)[\w.-]*\.sh)$/i;
const ofMachine =
  /^(?:~|\/(?:etc|usr|bin|sbin|opt|root|nix|run|proc|dev)\/(?!src\/)|\$[({]?(?:HOME|NVM_DIR|CARGO_HOME|[A-Z_]*_(?:HOME|SDK))\b)/;
/** A name that no variable or pattern is a part of. */
const plainName = /^[\w.+-]*\w$/;

/** @returns the paths that the script may have which a command runs: none where it runs none, or what is built or installed */
export function scriptAt([first = '', ...rest]: readonly string[]): readonly string[] {
  const tool = first.replace(/^[@-]+/, '');
  if (tool === '.' || tool === 'source')
    return ending.test(rest[0] ?? '') && !ofVariables.test(rest[0] ?? '') ? pathsOf(rest[0] ?? '') : [];
  const name = tool.slice(tool.lastIndexOf('/') + 1);
  if (ofShell.test(name)) return pathsOf(pathIn(rest, 'shell') ?? '');
  if (name === 'go') return rest[0] === 'run' ? folderOf(rest.slice(1).find((word) => !word.startsWith('-')) ?? '') : [];
  if (ofJs.test(name)) return pathsOf(pathIn(running.test(rest[0] ?? '') ? rest.slice(1) : rest, 'js') ?? '');
  if (ofOthers.test(name)) return pathsOf(pathIn(rest, 'others') ?? '');
  return /^\.{1,2}\/.*\//.test(tool) || (tool.includes('/') && ending.test(tool)) || tool.startsWith('../') ? pathsOf(tool) : [];
}

function pathIn(words: readonly string[], kind: keyof typeof valued): string | undefined {
  for (const [at, word] of words.entries()) {
    if (valued[kind].test(words[at - 1] ?? '')) continue;
    if (word === '-' || inline[kind].test(word)) return undefined;
    if (!/^[-+]/.test(word)) return word.includes('/') || ending.test(word) ? word : undefined;
  }
  return undefined;
}

const isMade = (path: string): boolean => installed.test(path) || (built.test(path) && (builtOf.test(path) || !ending.test(path)));

function pathsOf(path: string): readonly string[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (!plainName.test(name) || isMade(path) || known.test(path) || ofMachine.test(path)) return [];
  if (!ending.test(name))
    return /[$`{*]/.test(path) || path.startsWith('/')
      ? []
      : [path, ...['js', 'ts', 'mjs', 'sh', 'py'].map((each) => `${path}.${each}`), `${path}/`];
  if (!builtOf.test(name)) return [path];
  if (placeOfProgram.test(path) || (entry.test(name) && (path.startsWith('/') || !path.includes('/')))) return [];
  const source = ['ts', 'tsx', 'mts', 'cts', 'mjs', 'cjs', 'js', 'jsx', 'coffee'].map((each) => path.replace(builtOf, `.${each}`));
  // What is built may stand beside what else the package has.
  return [path, ...source, ...(entry.test(name) ? [path.slice(0, -name.length)] : [])];
}

/** A package of Go is a folder of these, or a file. */
const folderOf = (path: string): readonly string[] =>
  /^\.{0,2}\/[\w./-]*\w$/.test(path) && !isMade(path) ? [path.endsWith('.go') ? path : `${path}/`] : [];
