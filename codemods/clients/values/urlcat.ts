/** urlcat: https://urlcat.org. */
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import { joinUrl } from '../../evaluate/values/text.ts';

/** `urlcat(base, '/contacts/:id', { id })`. Names of the path's parameters are left as they stand. */
const urlcat: LibraryFunction = (_ev, [base, path]) => (path === undefined || path.type === 'object' ? base : joinUrl(base, path, 'slash'));

export const urlcatLibrary: ClientRule = { name: 'urlcat', functions: { 'urlcat:': urlcat } };
