/**
 * Where libraries are made, as package.json says of its repository. There, and in a copy of that repository, a program that names the library gets a package
 * of the workspace: it is the library all the same, whose calls mean what its rule says, and not what little its sources say to who reads them.
 */
export const libraryHomes = /\b(?:openapi-ts|drwpow)\/openapi-typescript\b/;
