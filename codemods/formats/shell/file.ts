/** A whole shell script, Dockerfile or Makefile. */
import { basename } from 'node:path/posix';
import { isMakefile } from '../../find/kinds.ts';
import { isOfImage } from '../../find/packages/production-files.ts';
import { positionsOf } from '../../syntax/position.ts';
import { type Reading, type Stretch, merge } from '../reading.ts';
import { align, plain } from '../text.ts';
import { groupOf } from './included.ts';
import { readCommand, readScripts, runOf } from './script.ts';
import { type Script, listsBeside, sourcingOf } from './sourced.ts';
import { requestsGiven, sourcedBeside } from './sourced-headers.ts';

/** `CMD ["curl", "-H", …]`: the form that Docker runs without a shell. */
const execForm = /^[ \t]*(?:RUN|CMD|ENTRYPOINT|HEALTHCHECK\b.*?\bCMD)[ \t]+(?<list>\[(?:[^\]\n]|\\\n)*\])[ \t]*$/gm;

/** @param others scripts that may source it */
export function readShell(stretch: Stretch, others: readonly Script[]): Reading {
  const isImage = isOfImage(stretch.source.file);
  const source = isImage ? withoutComments(stretch.text) : stretch.text;
  const lists = Array.from(source.matchAll(execForm), ({ index, 0: line, groups }) => {
    const list = groups?.['list'] ?? '';
    const start = index + line.lastIndexOf(list);
    const words = Array.from(list.matchAll(/"(?:[^"\\]|\\.)*"/g), ({ index, 0: quoted }) => {
      const place = { start: start + index + 1, end: start + index + quoted.length - 1 };
      return align(source, place, textOf(quoted), true) ?? plain('', 0);
    });
    return { place: { start: index, end: index + line.length }, words };
  });
  const script = source.replaceAll(execForm, (line) => ' '.repeat(line.length));
  const isOfOthers = isImage && isImageOfOthers(source);
  const elsewhere = requestsGiven(stretch, others, (other, sourced) => {
    const around: Stretch = { source: { ...other, position: positionsOf(other.text) }, start: 0, text: other.text };
    return readScripts([plain(other.text, 0)], around, undefined, { sourcing: sourcingOf(others, other), sourced }).requests;
  });
  const reading = merge([
    readScripts([plain(script, 0)], stretch, undefined, {
      sourcing: sourcingOf(others, stretch.source),
      sourced: sourcedBeside(stretch.source, others),
      seenBySourcing: elsewhere.variables,
      isIncluded: isMakefile(basename(stretch.source.file)) && groupOf(stretch.source, others) !== undefined,
      isListOfOthers: listsBeside(others, stretch.source),
      lists: lists.map(({ place, words }) => runOf(words, place)),
    }),
    { requests: elsewhere.requests },
    ...lists.map(({ place, words }) => readCommand(words, place, stretch)),
  ]);
  return isOfOthers ? { ...reading, settings: reading.settings.map((setting) => ({ ...setting, isOfOthers })) } : reading;
}

/** A comment between the lines of one command ends it in a shell; Docker takes it out first. All else stays in its place. */
function withoutComments(text: string): string {
  let isContinued = false;
  return text
    .split('\n')
    .map((line) => {
      if (isContinued && /^\s*#/.test(line)) return `${' '.repeat(line.length - 1)}\\`;
      isContinued = /\\\s*$/.test(line);
      return line;
    })
    .join('\n');
}

/** Whether all that an image is made of is somebody else's: no file of the project goes into it, but for its configuration, and nothing is run or installed there. */
function isImageOfOthers(text: string): boolean {
  const [, image = ''] = /^\s*FROM\s+(?:--\S+\s+)*(\S+)/im.exec(text) ?? [];
  const copied = Array.from(text.matchAll(/^\s*(?:COPY|ADD)\s+(.*)$/gim), ([, words = '']) =>
    words.trim().split(/\s+/).slice(0, -1),
  ).flat();
  return (
    image.includes('/') &&
    !/[$]/.test(image) &&
    !/^\s*(?:RUN|CMD|ENTRYPOINT)\b/im.test(text) &&
    copied.every((word) => configuration.test(word))
  );
}

const configuration = /\.(?:ya?ml|toml|ini|conf|cfg|properties|json|xml|crt|pem)$|^--ch(?:own|mod)=/i;

function textOf(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return '';
  }
}
