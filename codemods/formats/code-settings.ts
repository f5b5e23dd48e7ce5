/** What code sets variables of the environment to; all else of such a file is read as a script. */
import { codeSettingsIn } from '../find/code-settings.ts';
import { settingsOf } from './env-file.ts';
import { type Reading, type Stretch, emptyReading, merge } from './reading.ts';
import { plain } from './text.ts';
import { scopeOf } from './variables.ts';

export function readCodeSettings(stretch: Stretch): Reading {
  const settings = codeSettingsIn(stretch.source.file, stretch.text);
  if (settings.length === 0) return { ...emptyReading, elsewhere: [{ start: 0, end: stretch.text.length }] };
  const definitions = settings.map(({ name, value, start }) => ({ name, value: plain(value, start) }));
  const scope = scopeOf(definitions);
  const ends = [0, ...settings.map(({ end }) => end)];
  const elsewhere = ends.map((start, index) => ({ start, end: settings[index]?.start ?? stretch.text.length }));
  return merge([settingsOf(definitions, stretch, scope), { elsewhere }]);
}
