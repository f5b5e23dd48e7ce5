/** yenv: https://github.com/jeffijoe/yenv. The environment, and what the section of a file in YAML says of the variables that it does not have. */
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';

/** `yenv('env.yaml')`: what that file says, it sets the variables to, as a `.env` does. */
const variables: LibraryFunction = () => ({ type: 'external', source: 'process', path: ['env'] });

export const yenvLibrary: ClientRule = {
  name: 'yenv',
  functions: Object.fromEntries(['', 'default', 'yenv'].map((name) => [`yenv:${name}`, variables])),
};
