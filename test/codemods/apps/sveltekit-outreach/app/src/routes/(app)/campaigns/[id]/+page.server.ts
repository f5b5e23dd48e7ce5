export const actions = {
  send: async ({ params, locals }) => {
    await locals.messaging.sendCampaign(params.id);
    return { sent: true };
  },
};
