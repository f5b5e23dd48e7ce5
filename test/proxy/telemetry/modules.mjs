/** Writes down which modules of OpenTelemetry a process asks for, or hides them. */
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, next) {
    // prom-client needs the API of OpenTelemetry for itself, which does nothing without the rest.
    if (/\/prom-client\//.test(context.parentURL ?? '')) return next(specifier, context);
    if (!specifier.startsWith('@opentelemetry/') && !/telemetry\/(?:otlp|telemetry|event|metrics)\.[jt]s$/.test(specifier))
      return next(specifier, context);
    appendFileSync(process.env['SEEN_MODULES'], `${specifier}\n`);
    if (process.env['HIDE_MODULES'] === 'yes' && specifier.startsWith('@opentelemetry/'))
      throw Object.assign(new Error(`Cannot find package '${specifier}'`), { code: 'ERR_MODULE_NOT_FOUND' });
    return next(specifier, context);
  },
});
