import { CampaignStats } from '../../components/CampaignStats';

async function getCampaign(id: string) {
  const res = await fetch(`https://api.example.com/v1/campaigns/${id}`, {
    headers: { 'x-api-key': process.env.MESSAGING_API_KEY! },
    next: { revalidate: 60, tags: ['campaigns'] },
  });
  return res.json();
}

export default async function CampaignsPage({ searchParams }: { searchParams: Promise<{ id: string }> }) {
  const { id } = await searchParams;
  const campaign = await getCampaign(id);
  return <CampaignStats id={id} initial={campaign} />;
}
