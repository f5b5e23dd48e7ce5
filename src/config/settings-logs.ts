/** The settings of `usage import`, which reads access logs. */
import { or } from '../text/list.ts';
import { logFormats } from './log-formats.ts';
import type { Setting } from './setting.ts';
import { hostName, logFields, networks, pattern } from './types-logs.ts';
import { texts } from './types-migrate.ts';
import { label } from './types-report.ts';
import { boolean, oneOf } from './types.ts';

const row = { commands: ['usage'], part: 'import', only: 'flag' } as const;

export const logSettings = [
  {
    ...row,
    name: 'logs',
    type: texts,
    positional: true,
    repeatable: true,
    default: [],
    description: 'Access logs of what v1 traffic passes beside the proxies, as they are or compressed; - for stdin',
  },
  {
    ...row,
    name: 'source',
    type: label,
    otherwise: 'name of the format, and of the host',
    description: 'Where the logs are from, as the report names it: a name for each machine and each place',
  },
  {
    ...row,
    name: 'format',
    type: oneOf(logFormats),
    otherwise: 'found in the first lines',
    description: `Format of the logs: ${or(logFormats)}`,
  },
  {
    ...row,
    name: 'pattern',
    type: pattern,
    otherwise: 'none',
    description:
      'Regular expression of JavaScript for any other format, with named groups: time, method and path (or request), status, address, agent, host, key, via',
  },
  {
    ...row,
    name: 'field',
    type: logFields,
    repeatable: true,
    default: {},
    description: 'name=FIELD for a field of JSON that is called otherwise, with dots into objects; the names are those of --pattern',
  },
  {
    ...row,
    name: 'host',
    type: hostName,
    otherwise: 'every host, and of each the endpoints of v1 alone',
    description: 'Take the lines of this host alone, which is that of v1: unlisted paths below /v1 count, too',
  },
  {
    ...row,
    name: 'skipNetwork',
    type: networks,
    repeatable: true,
    default: [],
    description: 'Addresses of the proxies, such as 10.0.7.0/24,10.0.8.9: they have recorded what comes from there',
  },
  {
    ...row,
    name: 'anew',
    type: boolean,
    default: false,
    description: 'Forget what the store knows of --source, as soon as all of the logs was read; without logs, at once',
  },
] as const satisfies readonly Setting[];
