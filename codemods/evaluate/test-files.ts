/** Files of tests, and of what stands in for something there, by their names: what they hand in stands for what the program does. */
const folders = String.raw`(?:__tests__|__mocks__|tests?|specs?|e2e|testing|fakes?|mocks?)\/`;
const names = String.raw`(?:testing|test-?(?:[uU]tils?|[hH]elpers?)|(?:fake|mock)s?(?:[-_A-Z][\w-]*)?)\.[cm]?[jt]sx?$`;
const testFile = new RegExp(String.raw`(?:^|\/)(?:${folders}|${names})|[.-](?:test|spec|fake|mock)\.[cm]?[jt]sx?$`);

export const isTest = ({ file }: { readonly file: string }): boolean => testFile.test(file);
