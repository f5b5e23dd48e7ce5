/** A document of what was so. In a file of its own: whoever asks for this alone shall not load the parser of documents. */
export const isChangeLog = (file: string): boolean => /(?:^|\/)(?:changelog|history|releases)\b/i.test(file);
