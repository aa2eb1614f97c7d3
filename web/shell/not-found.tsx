import { Button, Container, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

/** A page for an address that leads nowhere, or to something that is not the reader's. */
export function NotFound() {
  const { t } = useTranslation()
  return (
    <Container size="xs" py={96}>
      <Stack align="center" gap="sm">
        <Title order={1} size="h2">
          {t('notFound.title')}
        </Title>
        <Text c="dimmed" ta="center">
          {t('notFound.text')}
        </Text>
        <Button component={Link} to="/" mt="sm">
          {t('notFound.back')}
        </Button>
      </Stack>
    </Container>
  )
}
