/** `./client` is found where `./client.ts` is, and what SvelteKit has under names of its own: users' sources are written for bundlers. */
import { registerHooks } from 'node:module';

const environment = 'data:text/javascript,export const env = process.env;';
/** The part of a framework that its users' code needs, without its compiler. */
const parts = { vue: '@vue/runtime-dom' };

function resolveLikeBundlers(written, context, next) {
  if (written === '$env/dynamic/private') return next(environment, context);
  if (Object.hasOwn(parts, written)) return next(parts[written], context);
  const specifier = written.startsWith('$lib/') ? context.parentURL.replace(/\/src\/.*/, `/src/${written.slice(1)}`) : written;
  if (/^(?:\.|file:)/.test(specifier)) {
    for (const tried of [
      specifier,
      `${specifier}.ts`,
      `${specifier}.js`,
      `${specifier}/index.ts`,
      `${specifier}/index.js`,
      specifier.replace(/\.js$/, '.ts'),
    ]) {
      try {
        return next(tried, context);
      } catch {
        // The last word is Node's own.
      }
    }
  }
  return next(specifier, context);
}

registerHooks({ resolve: resolveLikeBundlers });
