/** Files of tests, by their names: what they hand in stands for what the program does. */
const testFile = /(?:^|\/)(?:__tests__|__mocks__|tests?|specs?|e2e)\/|[.-](?:test|spec)\.[cm]?[jt]sx?$/;

export const isTest = ({ file }: { readonly file: string }): boolean => testFile.test(file);
