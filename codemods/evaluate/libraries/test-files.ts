/** Files of tests, by their names, and fakes: what they hand in stands for what the program does. */
import type { SourceText } from '../values/source-text.ts';

const testFile =
  /(?:^|\/)(?:__tests__|__mocks__|tests?|specs?|e2e)\/|(?:(?:[.-](?:test|spec)|\.(?:app-)?(?:tests|specs))\.[cm]?[jt]|_test\.m?t)sx?$/;

/** What a program is configured with where tests run it: https://github.com/node-config/node-config/wiki/Configuration-Files. */
const settingsFile = /(?:^|\/)config\/test\.\w+$/;

const folders = String.raw`(?:testing|test[-_]?(?:kit|utils?|helpers?|support|harness)|fakes?|mocks?)\/`;
const names = String.raw`(?:testing|test-?(?:[uU]tils?|[hH]elpers?|[kK]it|[sS]upport|[hH]arness)|(?:fake|mock)s?(?:[-_A-Z][\w-]*)?)\.[cm]?[jt]sx?$`;
const fakeFile = new RegExp(String.raw`(?:^|\/)(?:${folders}|${names})|[.-](?:fake|mock)\.[cm]?[jt]sx?$`);

export const isTest = ({ file, isFake }: Pick<SourceText, 'file' | 'isFake'>): boolean =>
  isFake === true || testFile.test(file) || settingsFile.test(file);

export const isSettingsOfTests = ({ file }: Pick<SourceText, 'file'>): boolean => settingsFile.test(file);

/** Whether a file is called as what stands in for something. A program may be called so, too: one that books mock interviews. */
export const isNamedAsFake = (file: string): boolean => fakeFile.test(file) && !testFile.test(file);
