import { expect, test } from 'vitest';
import { loadedFilesIn } from '../../../codemods/find/modules/convict-files.ts';
import { openedBy } from '../../../codemods/find/modules/open-imports.ts';

const loaded = (path: string, before = ''): readonly string[] => {
  const { files, isWhole } = loadedFilesIn(`${before}\nconfig.loadFile(${path});`);
  return isWhole ? files.map(({ specifier }) => specifier) : ['?'];
};

test.each([
  ["'./config/production.json'", ['cwd:config/production.json']],
  ["'./config/' + env + '.json'", ['cwd:config/*.json']],
  ['`./config/${env}.json`', ['cwd:config/*.json']],
  ['`config/${region}-${env}.yaml`', ['cwd:config/*.yaml']],
  ['`${__dirname}/${env}.json`', ['./*.json']],
  ["__dirname + '/env/' + config.get('env') + '.json'", ['./env/*.json']],
  ["path.join(__dirname, `${config.get('env')}.json`)", ['./*.json']],
  ["join(__dirname, '..', 'config', env + '.toml')", ['../config/*.toml']],
  ["path.resolve(process.cwd(), 'config', `${env}.json`)", ['cwd:config/*.json']],
  ['fileURLToPath(new URL(`./config/${env}.json`, import.meta.url))', ['./config/*.json']],
  ["['./config/base.json', './config/' + env + '.json']", ['cwd:config/base.json', 'cwd:config/*.json']],
  ['process.env.SETTINGS', ['?']],
  ["path.join(folder, 'production.json')", ['?']],
  ['`./config/${env}/${name}.json`', ['?']],
  ["'index.html'", ['?']],
])('loadFile(%s)', (path, files) => {
  expect(loaded(path)).toEqual(files);
});

test('a path may have a name of its own, which nothing else is put into', () => {
  const folder = "const folder = path.join(__dirname, 'env');";
  expect(loaded("path.join(folder, env + '.json')", folder)).toEqual(['./env/*.json']);
  expect(loaded("path.join(folder, env + '.json')", `${folder}\nif (legacy) folder = '/etc';`)).toEqual(['?']);
  expect(loaded('file', "const env = process.env.NODE_ENV || 'dev';\nconst file = `./config/${env}.json`;")).toEqual(['cwd:config/*.json']);
});

test('a program is started where its package is', () => {
  const files = ['package.json', 'config/a.json', 'apps/texts/package.json', 'apps/texts/config/b.json', 'apps/texts/src/settings.js'];
  expect(openedBy('apps/texts/src/settings.js', 'cwd:config/*.json', files)).toEqual(['apps/texts/config/b.json']);
});
