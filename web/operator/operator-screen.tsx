import { Container, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useTitle } from '../shell/use-title.ts'
import { ArcTable } from './arc-table.tsx'
import { Deliveries } from './deliveries.tsx'
import { HeldList } from './held-list.tsx'
import { Overview } from './overview.tsx'
import { Tokens } from './tokens.tsx'
import '../i18n/desk-words.ts'

/** The operator's desk: whether all is well, what is held up and since when, and what it costs. */
export function OperatorScreen() {
  const { t } = useTranslation()
  useTitle(t('operator.nav'))
  return (
    <Container size={1180} py={{ base: 18, sm: 32 }} px={{ base: 14, sm: 24 }}>
      <Title order={1} size={26} mb="lg">
        {t('operator.nav')}
      </Title>
      <Overview />
      <HeldList />
      <ArcTable />
      <Tokens />
      <Deliveries />
    </Container>
  )
}
