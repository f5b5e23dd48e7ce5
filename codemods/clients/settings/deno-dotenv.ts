/** Deno's dotenv, https://jsr.io/@std/dotenv: what `.env` files say, which comes before or after the environment as the program has it. */
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';

/** `await load()`: an object with the variables of a file, which has for each of them what is its value where nothing else sets it. */
const variables: LibraryFunction = () => ({ type: 'external', source: '', path: ['Deno', 'env'] });

export const denoDotenvLibrary: ClientRule = {
  name: 'deno-dotenv',
  functions: Object.fromEntries(['load', 'loadSync', 'config', 'configSync'].map((name) => [`@std/dotenv:${name}`, variables])),
};
