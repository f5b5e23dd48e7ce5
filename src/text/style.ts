/** Colours, for terminals alone. */
import { styleText } from 'node:util';

export type Style = (format: Parameters<typeof styleText>[0], text: string) => string;

const styled: Style = (format, text) => styleText(format, text, { validateStream: false });
const unstyled: Style = (_format, text) => text;

export const styleFor = (color: boolean): Style => (color ? styled : unstyled);
