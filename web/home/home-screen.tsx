import { Container, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useTitle } from '../shell/use-title.ts'
import { ArcList } from './arc-list.tsx'
import classes from './home.module.css'
import { StartForm } from './start-form.tsx'

/** The first screen: begin a topic, or go on with one. */
export function HomeScreen() {
  const { t } = useTranslation()
  useTitle(undefined)
  return (
    <div className={classes.page}>
      <Container size={880} py={{ base: 28, sm: 52 }} px={{ base: 16, sm: 24 }}>
        <Stack gap={6} mb={{ base: 20, sm: 28 }}>
          <Title order={1} className={classes.title ?? ''}>
            {t('home.title')}
          </Title>
          <Text c="dimmed" size="lg" className={classes.lead ?? ''}>
            {t('home.lead')}
          </Text>
        </Stack>
        <StartForm />
        <ArcList />
      </Container>
    </div>
  )
}
