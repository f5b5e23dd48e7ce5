export const useCampaign = (id: string) => {
  const { $messaging } = useNuxtApp();
  return useAsyncData(`campaign:${id}`, () => $messaging(`/campaigns/${id}`));
};

export const useSendCampaign = () => {
  const { $messaging } = useNuxtApp();
  return (id: string) => $messaging(`/campaigns/${id}/send`, { method: 'POST' });
};
