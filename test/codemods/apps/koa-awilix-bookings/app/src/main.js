/** What a season's begin does, without a server. */
module.exports = async function main({ key }) {
  process.env.MESSAGING_API_KEY = key;
  const { asValue } = require('awilix');
  const { buildContainer } = require('./container');
  const container = buildContainer();
  container.register({
    logger: asValue({ debug() {}, info() {} }),
    rooms: asValue({ bookingsOf: async () => [{ room: 7 }] }),
  });
  const scope = container.createScope();
  const missing = await scope
    .resolve('reminderService')
    .remind('nobody')
    .catch(({ status }) => status);
  const campaign = await scope.resolve('seasonCampaign').start('2026');
  const { messageId } = await scope.cradle.messaging.send('+14155550101', 'Welcome!');
  return { missing, campaign: typeof campaign, messageId: typeof messageId };
};
