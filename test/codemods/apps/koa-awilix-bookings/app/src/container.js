const { asClass, asFunction, asValue, createContainer, InjectionMode, Lifetime } = require('awilix');
const config = require('./config');
const createMessagingClient = require('./clients/messaging-client');
const RoomsClient = require('./clients/rooms-client');

function buildContainer() {
  const container = createContainer({ injectionMode: InjectionMode.PROXY });

  container.register({
    config: asValue(config),
    logger: asValue(console),
    fetch: asValue((url, init) => fetch(url, init)),
    messaging: asFunction(createMessagingClient).singleton(),
    rooms: asClass(RoomsClient).singleton(),
  });

  container.loadModules(['services/*.js'], {
    cwd: __dirname,
    formatName: 'camelCase',
    resolverOptions: { lifetime: Lifetime.SCOPED },
  });

  return container;
}

module.exports = { buildContainer };
