/** Opens the way to a collector of OpenTelemetry, where one is asked for; nothing of OpenTelemetry is loaded otherwise. */
import type { Logger } from 'pino';
import type { Telemetry } from '../../proxy/telemetry/telemetry.ts';
import { ConfigError } from '../config/errors.ts';
import type { Settings } from '../config/settings.ts';
import { packageJson } from './package-json.ts';

/** Variables that every program with OpenTelemetry goes by; its exporters read these themselves, and the headers. */
const standard = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_LOGS_ENDPOINT', 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT'];

const packages = 'api exporter-logs-otlp-http exporter-metrics-otlp-http resources';
const remedy = `npm install ${packages.replaceAll(/(?:^| )/g, '$&@opentelemetry/')}`;

/** RFC 9110 §5.1 and §5.5. */
const fieldName = /^[\w!#$%&'*+.^`|~-]{1,64}$/;
const fieldValue = /^[\t\x20-\x7e]*$/;

/** Headers as OTEL_EXPORTER_OTLP_HEADERS has them, in per cent encoding. No message shows what they were. */
function headersOf(text: string): Record<string, string> {
  const entries = text.split(',').filter((entry) => entry.trim() !== '');
  return Object.fromEntries(
    entries.map((entry) => {
      const [, name = '', encoded = ''] = /^\s*([^=]+)=(.*)$/s.exec(entry.trim()) ?? [];
      const value = decode(encoded.trim());
      if (fieldName.test(name.trim()) && value !== undefined && fieldValue.test(value)) return [name.trim(), value];
      const problem = 'must be name=value,name=value, in per cent encoding';
      throw new ConfigError({ code: 'CONFIG_INVALID', key: '--otlp-headers', problem });
    }),
  );
}

function decode(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

/**
 * @param replica the name of the proxy in the record
 * @throws ConfigError where a collector is configured and the packages of OpenTelemetry are not installed
 */
export async function openTelemetry(
  { otlpEndpoint, otlpHeaders, otlpInterval }: Settings<'proxy'>,
  replica: string,
  logger: Logger,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Telemetry | undefined> {
  const isStandard = env['OTEL_SDK_DISABLED']?.toLowerCase() !== 'true' && standard.some((name) => env[name]);
  const headers = otlpHeaders === undefined ? undefined : headersOf(otlpHeaders);
  if (otlpEndpoint === undefined && !isStandard) return undefined;
  try {
    const [{ otlpExporters }, { Telemetry: Opened }] = await Promise.all([
      import('../../proxy/telemetry/otlp.ts'),
      import('../../proxy/telemetry/telemetry.ts'),
    ]);
    const exporters = await otlpExporters({ endpoint: otlpEndpoint, headers, replica, version: packageJson.version });
    return new Opened({ exporters, logger, interval: otlpInterval });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    const problem = `needs packages that are not installed: ${remedy}`;
    if (otlpEndpoint !== undefined) throw new ConfigError({ code: 'CONFIG_INVALID', key: '--otlp-endpoint', problem, cause: error });
    // Whoever runs many programs gives these variables to all of them.
    logger.warn({ event: 'telemetry_off' }, `OTEL_EXPORTER_OTLP_ENDPOINT is set, and ${problem}`);
    return undefined;
  }
}
