/**
 * Where libraries are made. There, and in a copy of that repository, a program that names the library gets a package of the workspace: it is the library all
 * the same, whose calls mean what its rule says, and not what little its sources say to who reads them.
 */
import type { Package } from './packages.ts';

/** What their package.json says of their repository. */
const homes = /\b(?:openapi-ts|drwpow)\/openapi-typescript\b/;

/** Whether a package of the workspace is such a library. Its name alone says nothing: a team may call its own wrapper as the library that it wraps. */
export const isLibraryItself = ({ manifest }: Package): boolean => homes.test(JSON.stringify(manifest['repository'] ?? ''));
