/** What goes to all guests when a season begins. */
module.exports = ({ messaging, logger }) => ({
  async start(season) {
    const { data } = await messaging.createCampaign(`Season ${season}`);
    await messaging.sendCampaign(data.id);
    logger.info(`Campaign ${data.id} is on its way`);
    return data.id;
  },
});
