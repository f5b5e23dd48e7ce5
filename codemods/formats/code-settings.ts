/** What code sets variables of the environment to; all else of such a file is read as a script. */
import { builtIn, type CodeSetting, givingPrograms, isOfBundler, variablesSetIn } from '../clients/settings/deployed-variables.ts';
import { configuredRunners } from '../clients/testing/libraries.ts';
import { bracesIn } from './braces.ts';
import { settingsOf } from './env-file.ts';
import { type Program, type Reading, type Stretch, emptyReading, merge } from './reading.ts';
import { commandGiven, withoutVersion } from './shell/others.ts';
import { plain } from './text.ts';
import { scopeOf } from './variables.ts';

/** What tests set is followed with what they run, and says nothing of production. */
const ofTests = new RegExp(
  String.raw`(?:^|\/)(?:__tests__|__mocks__|tests?|specs?|e2e)\/|[.-](?:test|spec|cy|e2e)\.|_test\.m?tsx?$|(?:^|\/)(?:${configuredRunners})[\w.-]*\.(?:config|conf|setup)\.`,
);

/** `${config.host}/v1`: which host that is, a stage says. */
const behindAnyHost = /^\$\{[\w$.?!]+\}\/v\d+\/?$/;

/** The texts that variables are set to, in what is no test. */
export function codeSettingsIn(file: string, text: string): readonly CodeSetting[] {
  if (!ofTests.test(file)) return variablesSetIn(text).filter(({ isWhole, value }) => isWhole || behindAnyHost.test(value));
  // What Vite puts in the place of a name is in what it builds; the environment beside it is that of tests.
  return isOfBundler.test(file) ? builtIn(text) : [];
}

export function readCodeSettings(stretch: Stretch): Reading {
  const settings = codeSettingsIn(stretch.source.file, stretch.text);
  if (settings.length === 0) return { ...emptyReading, elsewhere: [{ start: 0, end: stretch.text.length }] };
  const definitions = settings.map(({ name, value, start }) => ({ name, value: plain(value, start) }));
  const scope = scopeOf(definitions);
  const ends = [0, ...settings.map(({ end }) => end)];
  const elsewhere = ends.map((start, index) => ({ start, end: settings[index]?.start ?? stretch.text.length }));
  const programAt = programsOf(stretch.text);
  const programs = new Map(
    definitions.map(({ value }, index) => {
      const { usedAt, start = 0 } = settings[index] ?? {};
      return [value, leastOwn((usedAt ?? [start]).map(programAt))];
    }),
  );
  return merge([settingsOf(definitions, stretch, scope, programs), { elsewhere }]);
}

/** Of the programs that are given a text, one that may be somebody else's, if any is. */
const leastOwn = (programs: readonly (Program | undefined)[]): Program | undefined =>
  programs.find((program) => program?.isOwn === false) ??
  programs.find((program) => program?.isOwn !== true && program !== undefined) ??
  programs[0];

/** Which program is given what stands at a place: an app of PM2, a container that the code deploys, or a command that it starts itself. */
function programsOf(text: string): (offset: number) => Program | undefined {
  const around = bracesIn(text);
  return (offset) => {
    for (const { start, end } of around(offset)) {
      const own = text.slice(start, end);
      const [, , script, args = ''] = givingPrograms.script.exec(own) ?? givingPrograms.started.exec(text.slice(0, start)) ?? [];
      if (script !== undefined) return commandGiven(`${givingPrograms.interpreter.exec(own)?.[1] ?? ''} ${script} ${args}`.trimStart());
      const [, image] = givingPrograms.image.exec(own) ?? [];
      if (image !== undefined) return { name: withoutVersion(image), isOwn: undefined };
      const [, runtime] = givingPrograms.runtime.exec(own) ?? [];
      if (runtime !== undefined) return { name: runtime, isOwn: false, isAlone: true };
      if (givingPrograms.own.test(own)) return { name: '', isOwn: true };
    }
    return undefined;
  };
}
