/** The toolkit of GitHub's actions: https://github.com/actions/toolkit/tree/main/packages/core. Inputs have their defaults in action.yml. */
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import { optionsOf, choiceOf, plainText, unknown } from '../../evaluate/values/values.ts';
import { variableOfInput } from '../../find/words/action-inputs.ts';

const input: LibraryFunction = (_ev, [given], node, { module }) =>
  given &&
  choiceOf(
    optionsOf(given).map((each) => {
      const name = plainText(each);
      return name === undefined ? unknown(node, module, 'call') : { type: 'env', name: variableOfInput(name), node, module };
    }),
  );

/** What goes into the log of a step, or beside a line of code; outputs, states and variables go to other steps, which may ask with them. */
const logging = ['debug', 'info', 'notice', 'warning', 'error', 'setFailed', 'startGroup'];

export const actionsCoreLibrary: ClientRule = {
  name: '@actions/core',
  functions: { '@actions/core:getInput': input },
  shows: logging.map((each) => `@actions/core:${each}`),
};
