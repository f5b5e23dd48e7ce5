/** Scripts and modules that a command runs: `python3 scripts/seed.py`, `php import.php`, `python3 -m worker.seed`, and by their path all others. */
import type { ForeignScript } from '../reading.ts';
import type { Run } from './runs.ts';
import { scriptAt } from './scripts-by-path.ts';

const interpreter = /^[@-]?(?:.*\/)?(?<language>python|ruby|perl|php)[\d.]*$/;
/** What runs an interpreter in an environment of its own. */
const inEnvironment = /^(?:(?:poetry|pipenv|uv|pdm|rye|hatch|bundle) (?:run|exec) |(?:pnpm|yarn|npm|bun) (?:exec|dlx|x) )/;
/** What runs an installed tool by its name, with nothing in between. */
const installedBy = /^(?:npx|bunx|pnpx|pnpm|yarn)$/;
/** A script that may be started by itself, as processes of PM2 are. */
const startedItself = /^[@-]?[^-$].*\.(?:py|rb|php|pl)$/;
/** Code that stands in the command, or comes from a pipe, and what an interpreter says of itself or serves. */
const inline = {
  python: /^-[bBdEiIOsSuvx]*[cV]/,
  ruby: /^-[a-zA-Z]*e|^-[Scv]$/,
  perl: /^-[a-zA-Z0-9]*[eEv]/,
  php: /^-[rSlimvRBE]/,
} as const;
/** Options whose value is a word of its own. */
const valued = { python: /^-[WX]$/, ruby: /^-[rICE]$/, perl: /^-[I]$/, php: /^-[dctz]$/ } as const;

const isLanguage = (name: string): name is keyof typeof inline => Object.hasOwn(inline, name);

/** What comes with Python, or builds, tests and serves what stands in these files; by its first name. */
const knownModules = new Set(
  (
    'alembic ansible ast asyncio base64 bandit black build calendar celery cgi code codecs compileall copyreg coverage cProfile daphne dis ' +
    'django doctest encodings ensurepip filecmp fileinput flake8 flask ftplib grpc_tools gunicorn gzip hatch html http hypercorn idlelib imaplib ' +
    'inspect ipykernel IPython isort json jupyter keyring lib2to3 locale mimetypes mkdocs mypy nose nose2 notebook nox pdb pdm pickle pickletools ' +
    'piptools pip pipenv pipx pkgutil platform playwright poetry pre_commit profile pstats py_compile pyclbr pycodestyle pydoc pyflakes pylint ' +
    'pytest quopri random robot ruff runpy secrets serial setuptools SimpleHTTPServer site smtpd sphinx sqlite3 ssl sysconfig tabnanny tarfile ' +
    'telnetlib this timeit tokenize tox trace tracemalloc turtledemo twine unittest uuid uv uvicorn venv virtualenv waitress webbrowser wheel yapf ' +
    'zipapp zipfile zipimport'
  ).split(' '),
);
/** Tools that packages of PHP bring along. */
const knownScript = /(?:^|\/)(?:vendor\/(?:bin\/)?.+|composer(?:\.phar)?|phpunit(?:\.phar)?)$/;
/** A name that no variable or template is a part of. */
const plainName = /^[\w.+-]*\w$/;

/** @returns what an interpreter is told to run, which may be none of these files */
export function interpretedBy({ words, start, end }: Pick<Run, 'words' | 'start' | 'end'>): ForeignScript | undefined {
  const all = words.map(({ value }) => value);
  const within = inEnvironment.test(`${all.slice(0, 2).join(' ')} `) ? all.slice(2) : installedBy.test(all[0] ?? '') ? all.slice(1) : all;
  const [first = '', ...rest] = within.slice(
    Math.max(
      0,
      within.findIndex((word) => word !== '--' && !/^-[^/]*$/.test(word)),
    ),
  );
  const { language = '' } = interpreter.exec(first)?.groups ?? {};
  const paths = startedItself.test(first)
    ? pathsOf(first.replace(/^[@-]/, ''))
    : isLanguage(language)
      ? runBy(language, rest)
      : scriptAt([first, ...rest]);
  const own = paths.length === 0 ? ownedBy(all, first, rest) : paths;
  return own.length === 0 ? undefined : { paths: own, start, end };
}

/** What a server or a worker of Python loads, and what a tool takes its commands from: it is of these files where the package is. */
function ownedBy(all: readonly string[], first: string, rest: readonly string[]): readonly string[] {
  const app = serving.test(first)
    ? rest.find((word) => /^[A-Za-z_][\w.]*:[\w.]+$/.test(word))?.split(':', 1)[0]
    : /^celery$/.test(first)
      ? rest[rest.findIndex((word) => word === '-A' || word === '--app') + 1]
      : undefined;
  if (app !== undefined) return ownModule.test(app) ? [...modulePaths(app), `${app.replaceAll('.', '/')}/__init__.py`] : [];
  if (first === 'rake') return ['Rakefile', 'rakefile', 'Rakefile.rb', 'rakefile.rb'];
  return /^(?:poetry|pipenv|pdm|rye|hatch) run /.test(`${all.slice(0, 2).join(' ')} `) &&
    /^[a-z][\w-]*$/.test(first) &&
    !knownModules.has(first)
    ? ['pyproject.toml', 'Pipfile', 'setup.py', 'setup.cfg']
    : [];
}

const serving = /^(?:uvicorn|gunicorn|hypercorn|daphne|waitress-serve)$/;
const ownModule = /^[A-Za-z_][\w.]*$/;

function runBy(language: keyof typeof inline, words: readonly string[]): readonly string[] {
  for (const [at, word] of words.entries()) {
    if (valued[language].test(words[at - 1] ?? '')) continue;
    if (language === 'python' && /^-[bBdEiIOsSuvx]*m/.test(word)) return modulePaths(word.replace(/^-\w*?m/, '') || (words[at + 1] ?? ''));
    if (word === '-' || inline[language].test(word)) return [];
    if (!word.startsWith('-')) return pathsOf(word);
  }
  return [];
}

const pathsOf = (path: string): readonly string[] =>
  plainName.test(path.slice(path.lastIndexOf('/') + 1)) && !knownScript.test(path) ? [path] : [];

/** A module is a file of its name, or a folder. */
function modulePaths(module: string): readonly string[] {
  if (!ownModule.test(module) || knownModules.has(module.split('.', 1)[0] ?? '')) return [];
  const path = module.replaceAll('.', '/');
  return [`${path}.py`, `${path}/__main__.py`];
}
