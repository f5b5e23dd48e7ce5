/** The settings of the codemods, which are the default command. */
import { or } from '../text/list.ts';
import { migrateFormats } from './report-formats.ts';
import type { Setting } from './setting.ts';
import { boolean, oneOf, positive, text } from './types.ts';
import { clientBases, successorBase, texts } from './types-migrate.ts';

const migrate = ['migrate'] as const;

export const migrateSettings = [
  {
    name: 'paths',
    commands: migrate,
    type: texts,
    positional: true,
    repeatable: true,
    refers: 'path',
    otherwise: 'the working directory',
    description: 'Files and folders to look at',
  },
  {
    name: 'v1Base',
    commands: migrate,
    type: clientBases,
    repeatable: true,
    default: [],
    otherwise: 'asked for, with what was found',
    description: 'Base address of v1 in your code: a URL, or env:NAME for an environment variable that holds one; may be repeated',
  },
  {
    name: 'v2Base',
    commands: migrate,
    type: successorBase,
    otherwise: 'the host stays as it is',
    description: 'Base address of v2, where it is another than that of v1',
  },
  {
    name: 'dryRun',
    commands: migrate,
    type: boolean,
    default: false,
    description: 'Write nothing; report what would change',
  },
  {
    name: 'diff',
    commands: migrate,
    type: boolean,
    default: false,
    description: 'Write nothing; print a patch for git apply',
  },
  {
    name: 'check',
    commands: migrate,
    type: boolean,
    default: false,
    description: 'Write nothing; exit with 1 where v1 is still used',
  },
  {
    name: 'format',
    commands: migrate,
    type: oneOf(migrateFormats),
    default: 'text',
    description: `Form of the report: ${or(migrateFormats)}`,
  },
  {
    name: 'explain',
    commands: migrate,
    type: text,
    only: 'flag',
    otherwise: 'nothing',
    description: 'FILE:LINE; write nothing and say how what stands there was proven, or why it is left alone',
  },
  {
    name: 'interactive',
    commands: migrate,
    type: boolean,
    default: false,
    description: 'Show each group of edits and ask before it is made',
  },
  {
    name: 'todo',
    commands: migrate,
    type: boolean,
    default: false,
    description: 'Leave a comment where a person has to decide',
  },
  {
    name: 'include',
    commands: migrate,
    type: texts,
    repeatable: true,
    default: [],
    otherwise: 'every file that can hold a call',
    description: 'Glob of the files to look at; may be repeated',
  },
  {
    name: 'exclude',
    commands: migrate,
    type: texts,
    repeatable: true,
    default: [],
    description: 'Glob of files to leave alone, besides those that git ignores; may be repeated',
  },
  {
    name: 'allow',
    commands: migrate,
    type: texts,
    repeatable: true,
    default: [],
    description: 'Place FILE:LINE of the report that may move along, with what it holds; may be repeated',
  },
  {
    name: 'jobs',
    commands: migrate,
    type: positive,
    otherwise: 'one less than the machine has cores',
    description: 'Files to read at the same time; the result is the same for any number',
  },
  {
    name: 'force',
    commands: migrate,
    type: boolean,
    default: false,
    description: 'Write even where changes are not committed to git, or git knows nothing of the files',
  },
  {
    name: 'yes',
    commands: ['migrate', 'usage'],
    type: boolean,
    default: false,
    description: 'Answer yes to what is to be confirmed; it never chooses a base address',
  },
  {
    name: 'verbose',
    commands: migrate,
    type: boolean,
    only: 'flag',
    default: false,
    description: 'List what is left alone with its places; say which files and questions took most; show the stack trace of an error',
  },
] as const satisfies readonly Setting[];
