/** What a page in any language has before the path that it asks by, as a pattern: of `fetch`, `XMLHttpRequest`, axios, jQuery and AngularJS. */
export const askedInPages = String.raw`(?:\bfetch|\baxios(?:\.\w+)?|\$\.\w+|\$http(?:\.\w+)?|\.open)\(\s*(?:["'][A-Z]+["']\s*,\s*)?["'\`]|\burl\s*:\s*["'\`]`;
