/** Programs of any size: each is twice as long for twice the size, and nothing in it should cost more than that. */
import { classes } from './classes.ts';
import { files } from './files.ts';
import { functions } from './functions.ts';
import { objects } from './objects.ts';
import type { Grown } from './pieces.ts';
import { texts } from './texts.ts';

export type { Files, Grown } from './pieces.ts';

/** By what grows in them. */
export const programs: Readonly<Record<string, Grown>> = { ...objects, ...texts, ...functions, ...classes, ...files };
