import { useMutation } from '@tanstack/react-query';
import { startCampaign } from '../app/actions';

export const useSendCampaign = (onSuccess: () => void) => useMutation({ mutationFn: startCampaign, onSuccess });
