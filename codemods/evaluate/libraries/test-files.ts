/** Files of tests, by their names, and fakes: what they hand in stands for what the program does. */
import { ofRunner, ownServerAskers, quoted, replacingNetwork } from '../../find/words/test-libraries.ts';
import { memoOf } from '../../once.ts';
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

const ownServer = new RegExp(String.raw`${quoted(ownServerAskers)}|\b(?:createServer|express|serve|listen|inject)\s*\(|\bnew Request\(`);

/** Whether a test asks a server of its own, by its text: its paths and headers may be that one's. */
export const asksOwnServer = (text: string): boolean => ownServer.test(text);

/** Whether a runner runs it itself, by its text: a helper of tests has none of its own. */
export const runsTests = (text: string): boolean => /^[ \t]*(?:it|test|describe)(?:\.\w+)*\(/m.test(text);

/** Whether only tests call its functions: it is one, or has what nothing else runs with, as helpers of a suite that stand in a folder of any name. */
export const isCalledByTestsAlone = memoOf((module: SourceText): boolean => isTest(module) || ofRunner.test(module.text));

/** Whether a test drives a page, by its text: what that asks is asked by whatever runs there. */
export const drivesPages = ({ text }: Pick<SourceText, 'text'>): boolean => ofRunner.test(text);

/** Whether a test has something in the place of the network, by its text. */
export const replacesNetwork = (text: string): boolean => replacingNetwork.test(text);
