/** What a page has in the place of an environment, `window.appConfig`, where the program itself puts something else there than an object that is written out. */
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';
import { ofPage } from '../../find/words/code-settings.ts';

/** What is laid over what it was is written out, too. */
const writtenOut = String.raw`\s*(?:\{|Object\.assign\b|(?:window|globalThis|self)\.)`;

export const pageSettingsLibrary: ClientRule = {
  name: 'page settings',
  ambient: { mark: new RegExp(String.raw`${ofPage}\s*(?:\|\||\?\?)?=(?!=)(?!${writtenOut})`), reached: new RegExp(ofPage), isSilent: true },
};
