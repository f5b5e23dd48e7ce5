/** Names that files import although no package.json asks for a package that is called so. */
import { ofTests } from './testing/libraries.ts';

/** What frameworks and runtimes offer under names of this form. */
const ofFrameworks = /^(?:\$(?:app|env|service-worker)|#(?:app|build|internal)|~icons|bun|k6|vscode)(?:\/|$)/;
/** … and those that a project has by another package. */
const ofPackages: readonly { readonly names: RegExp; readonly by: string }[] = [
  { names: /^@(?:theme(?:-\w+)?|generated)\//, by: '@docusaurus/core' },
  { names: /^@(?:ember(?:-data)?|glimmer)\//, by: 'ember-source' },
];

/** @param isAsked whether some package.json asks for a package */
export const isOffered = (specifier: string, isAsked: (name: string) => boolean): boolean =>
  // What tests are written with, a folder above may have: nobody names a file of the project so.
  ofFrameworks.test(specifier) || ofTests.test(specifier) || ofPackages.some(({ names, by }) => names.test(specifier) && isAsked(by));
