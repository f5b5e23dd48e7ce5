/** The types of the codemods' settings. */
import { z } from 'zod';
import { faultsOfBase, readHttpUrl, show } from './types.ts';

/** Texts in one: separated by commas, but for those within braces, which globs have. */
const inOne = (text: string): string[] => text.split(/,(?![^{]*\})/);

/** A list of texts, or one text with commas; a list's items are taken whole, whatever they hold. */
export const texts = z
  .union([z.string().transform(inOne), z.array(z.string())], { error: ({ input }) => `${show(input)} is not a list of texts` })
  .transform((list) => list.map((item) => item.trim()))
  .refine((list) => !list.includes(''), 'must not hold an empty text');

/**
 * A base address as code may have it: with its version and a slash behind, or without.
 * @returns it without both, or what is wrong
 */
function readBase(given: string, version: 'v1' | 'v2'): { readonly base: string } | { readonly fault: string } {
  const url = readHttpUrl(given);
  if (url === undefined) return { fault: `${show(given)} is not an http(s) URL` };
  const [fault] = faultsOfBase(url);
  return fault === undefined
    ? {
        base: url.href
          .replace(/\/+$/, '')
          .replace(new RegExp(`/${version}$`), '')
          .replace(/\/+$/, ''),
      }
    : { fault };
}

/** Names that shells and dotenv files can give to a variable. */
const environmentName = /^env:[A-Za-z_][A-Za-z0-9_]*$/;

function readClientBase(given: string, context: z.RefinementCtx): string {
  if (environmentName.test(given)) return given;
  const read = given.startsWith('env:')
    ? { fault: `${show(given)} does not name an environment variable: write env:API_BASE` }
    : readBase(given, 'v1');
  if ('base' in read) return read.base;
  const hint = read.fault.endsWith('URL') ? ', nor env:NAME for an environment variable that holds one' : '';
  context.addIssue({ code: 'custom', message: read.fault + hint });
  return z.NEVER;
}

/** Base addresses of v1 in client code: URLs, or `env:NAME` for a variable that holds one. */
export const clientBases = texts.transform((list, context) => [...new Set(list.map((item) => readClientBase(item, context)))]);

/** The base address of v2 in client code. */
export const successorBase = z.string({ error: ({ input }) => `${show(input)} is not an http(s) URL` }).transform((given, context) => {
  const read = readBase(given.trim(), 'v2');
  if ('base' in read) return read.base;
  context.addIssue({ code: 'custom', message: read.fault });
  return z.NEVER;
});

/** Base addresses of the service itself; those that stand in variables of client code are none. */
export const serviceBases = clientBases.transform((bases) => bases.filter((base) => !base.startsWith('env:')));
